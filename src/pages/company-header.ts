/** The top of every customer page: logo, name and color of the company. Pages add their own style sheet to the one from here. */
import { DARK_PAPER, readableAccent } from '../core/accent-color.ts'
import { escapeHtml } from './page-html.ts'

export interface CompanyLook {
  companyId: string
  name: string
  /** SHA-256 of the current logo; null without one. */
  logoHash: string | null
}

/** HTML. `base` is the path of the service, with a trailing slash. The page policy must allow our own images. */
export function companyHeader({ companyId, name, logoHash }: CompanyLook, base: string): string {
  const logo =
    logoHash === null
      ? ''
      : `<img class="logo" src="${escapeHtml(`${base}logo/${encodeURIComponent(companyId)}/${logoHash}`)}" alt="">`
  return `<header class="seller">${logo}<p class="seller-name">${escapeHtml(name)}</p></header>`
}

/**
 * CSS: the palette of customer pages for light and dark screens and for print, and the style of the header. `--on-accent` is the
 * color of text on `--accent`.
 */
export function companyStyle(accentColor: string | null): string {
  const { onLight, onDark } = readableAccent(accentColor)
  const light = `color-scheme: light; --ink: #1d2733; --soft: #55636f; --line: #dde3ea; --ground: #eef2f5; --paper: #fff;
  --danger: #b3261e; --accent: ${onLight}; --on-accent: #fff; --tint: color-mix(in srgb, var(--accent) 7%, var(--paper));`
  return `
:root { ${light} }
@media screen and (prefers-color-scheme: dark) {
  :root { color-scheme: dark; --ink: #e3e8ed; --soft: #a3b0bb; --line: #36424d; --ground: #12181e; --paper: ${DARK_PAPER};
  --danger: #ff9d95; --accent: ${onDark}; --on-accent: #12181e; --tint: color-mix(in srgb, var(--accent) 12%, var(--paper)); }
  /* Most logos are drawn for white paper. */
  .logo { background: #fff; padding: .35rem .5rem; border-radius: .4rem; }
}
/* In a row it takes the free width: the logo is at most half as wide, which needs a width that does not follow from the content. */
.seller { flex: 1 1 14rem; display: flex; align-items: center; gap: .9rem; }
.seller-name { margin: 0; min-width: 0; font-weight: 650; font-size: 1.05rem; overflow-wrap: anywhere; unicode-bidi: isolate;
  font-kerning: none; overflow: clip; overflow-clip-margin: .4em; }
.logo { flex: none; display: block; max-width: min(11rem, 50%); max-height: 3.25rem; object-fit: contain; }
`
}
