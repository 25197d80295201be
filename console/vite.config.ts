import { defineConfig } from 'vite'

/** Relative, so that the service may lie below a path of its host; nothing is loaded from elsewhere. */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  build: {
    outDir: '../dist/browser',
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 700,
    // The image has no other copy of the licenses of what is bundled. The server does not serve this file.
    license: { fileName: 'licenses.md' },
    rolldownOptions: {
      // Libraries mark what is for browsers in a way that means nothing here.
      onLog: (level, log, report) => {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') report(level, log)
      },
    },
  },
  logLevel: 'warn',
})
