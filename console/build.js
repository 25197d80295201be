/** Builds the console into dist/browser if one of its sources has changed since the last build. */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build } from 'vite'

const checkout = fileURLToPath(new URL('..', import.meta.url))
const output = join(checkout, 'dist/browser')
const stamp = join(output, '.built')

/** Times and sizes, not contents: this is asked at every start. */
function describeSources() {
  const hash = createHash('sha256')
  for (const folder of ['console', 'src/core', 'src/console']) {
    for (const name of readdirSync(join(checkout, folder), { recursive: true, encoding: 'utf8' })) {
      const { mtimeMs, size } = statSync(join(checkout, folder, name))
      hash.update(`${folder}/${name} ${mtimeMs} ${size}\n`)
    }
  }
  hash.update(readFileSync(join(checkout, 'package-lock.json')))
  return hash.digest('hex')
}

const sources = describeSources()
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== sources) {
  await build({ configFile: join(checkout, 'console/vite.config.ts') })
  // The script of the customer's quote page: one small file with a fixed name, which the server-rendered page loads.
  await build({
    configFile: false,
    logLevel: 'warn',
    build: {
      outDir: output,
      emptyOutDir: false,
      target: 'es2022',
      modulePreload: false,
      reportCompressedSize: false,
      rolldownOptions: {
        input: join(checkout, 'console/customer/quote-page.ts'),
        output: { entryFileNames: 'assets/[name].js' },
      },
    },
  })
  const assets = join(output, 'assets')
  for (const name of readdirSync(assets)) {
    const content = readFileSync(join(assets, name))
    writeFileSync(join(assets, `${name}.gz`), gzipSync(content, { level: 9 }))
    const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length }
    writeFileSync(join(assets, `${name}.br`), brotliCompressSync(content, { params }))
  }
  writeFileSync(stamp, sources)
}
