/** Colors, type and shapes with one accent. The contrast of all text is at least 4.5 to 1, light and dark. */
import { createTheme } from '@mantine/core'
import type { CSSVariablesResolver, MantineColorsTuple } from '@mantine/core'
import { TONES } from './ui/status.tsx'

/** From light to dark. */
const shades = (colors: string) => colors.split(' ') as unknown as MantineColorsTuple

const harbor = shades('#e8f6f4 #d3ebe8 #a6d8d2 #74c3bb #4ab0a6 #2b9c92 #148a80 #0b6e69 #085a56 #054542')

/** A little cooler than plain gray. */
const slate = shades('#f7f9fb #eef2f6 #dde3ea #c6cfd9 #a3afbc #76838f #5b6874 #45515c #303a44 #1d2733')

const night = shades('#d5dce3 #b4bec8 #95a1ad #6d7985 #46525e #35404b #28323c #1b232b #151c23 #0f151b')

/** The library's, with the darker shades dark enough for text on the light ones, and white text on them. */
const red = shades('#fff5f5 #ffe3e3 #ffc9c9 #ffa8a8 #ff8787 #ff6b6b #e23a3a #c92a2a #b02525 #961f1f')

const orange = shades('#fff4e6 #ffe8cc #ffd8a8 #ffc078 #ffa94d #ff922b #fd7e14 #c2500a #ad4508 #963a06')

export const theme = createTheme({
  primaryColor: 'harbor',
  primaryShade: 7,
  autoContrast: true,
  colors: { harbor, gray: slate, dark: night, red, orange },
  fontFamily:
    'Inter, "Inter Fallback", system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace',
  headings: {
    fontWeight: '650',
    sizes: {
      h1: { fontSize: '1.625rem', lineHeight: '1.25' },
      h2: { fontSize: '1.125rem', lineHeight: '1.35' },
      h3: { fontSize: '1rem', lineHeight: '1.4' },
    },
  },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } },
    Badge: { defaultProps: { variant: 'light', tt: 'none' } },
    Modal: {
      styles: {
        title: { fontWeight: 650, lineHeight: 'var(--mantine-line-height)' },
        // Otherwise the title covers the focus ring of the first element.
        body: { paddingTop: 4 },
      },
      defaultProps: {
        centered: true,
        overlayProps: { backgroundOpacity: 0.4 },
        closeButtonProps: { 'aria-label': 'Close' },
      },
    },
    // The first item gets the focus.
    Menu: { defaultProps: { position: 'bottom-end', withInitialFocusPlaceholder: false } },
    Table: { defaultProps: { verticalSpacing: 'sm' } },
  },
})

/** The colors of each status: `first` is 0 for light, 2 for dark. */
const toneVariables = (first: 0 | 2): Record<string, string> =>
  Object.fromEntries(
    Object.entries(TONES).flatMap(([name, colors]) => [
      [`--tone-${name}-text`, colors[first]],
      [`--tone-${name}-back`, colors[first === 0 ? 1 : 3]],
    ]),
  )

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': '#ffffff',
    '--mantine-color-text': '#1d2733',
    '--mantine-color-dimmed': '#5b6874',
    '--mantine-color-placeholder': '#68757f',
    '--mantine-color-error': '#c0272d',
    '--app-canvas': '#f5f7f9',
    '--app-line': '#dde3ea',
    '--app-hover': '#f1f7f7',
    '--app-skeleton': '#e4e9ee',
    '--app-accent-text': '#0b6e69',
    ...toneVariables(0),
  },
  dark: {
    '--mantine-color-body': '#1b232b',
    '--mantine-color-text': '#dfe5eb',
    '--mantine-color-dimmed': '#9daab6',
    '--mantine-color-placeholder': '#8b98a4',
    '--mantine-color-error': '#ff8a8a',
    '--app-canvas': '#12181e',
    '--app-line': '#303b46',
    '--app-hover': '#222d36',
    '--app-skeleton': '#2f3a45',
    '--app-accent-text': '#74c3bb',
    ...toneVariables(2),
  },
})
