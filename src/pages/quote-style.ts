/** The style sheet of the quote page, for screens, phones and print. Colors come from company-header.ts. */
export const QUOTE_STYLE = `
* { box-sizing: border-box; }
body { margin: 0; padding: 2rem 1rem 4rem; background: var(--ground); color: var(--ink);
  font: 1rem/1.55 Inter, "Inter Fallback", system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
  text-size-adjust: 100%; -webkit-text-size-adjust: 100%; }
main { max-width: 50rem; margin: 0 auto; }
.sheet { padding: 2.75rem 3rem 3rem; background: var(--paper); border-top: 5px solid var(--accent); border-radius: .75rem;
  box-shadow: 0 1px 2px #1d273314, 0 10px 36px #1d27331a; overflow-wrap: anywhere; }
/* Texts of any length. A kerned word of 10,000 letters takes Chromium seconds to break into lines. */
h1, h2, h3, p, dd, td, .text { font-kerning: none; }
.text { white-space: pre-line; unicode-bidi: plaintext; margin: 0; }
.top { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: center; gap: 1rem 2rem; }
.top > * { min-width: 0; }
.tools { display: flex; gap: .5rem; }
h1 { margin: 2.25rem 0 0; font-size: 2rem; line-height: 1.2; letter-spacing: -.02em; text-wrap: balance; }
h2 { margin: 0 0 .85rem; font-size: 1.2rem; line-height: 1.3; letter-spacing: -.01em; }
h3 { margin: 0; font-size: 1rem; }
.lead { margin: .35rem 0 0; color: var(--soft); font-size: 1.05rem; }
section { margin-top: 2.5rem; }
.hero { display: flex; flex-wrap: wrap; gap: 1.25rem 2.5rem; justify-content: space-between; margin-top: 1.75rem; padding: 1.5rem;
  background: var(--tint); border-radius: .6rem; }
.hero p { margin: 0; }
.label { color: var(--soft); font-size: .875rem; }
.figure { font-size: 2.25rem; line-height: 1.2; font-weight: 680; letter-spacing: -.025em; font-variant-numeric: tabular-nums; }
.figure.long { font-size: 1.4rem; }
.until { align-self: end; }
.until b { display: block; font-weight: 600; }
.note { margin: 1.5rem 0 0; padding: .85rem 1.1rem; border-inline-start: 4px solid var(--accent); background: var(--tint);
  border-radius: .35rem; }
.note h2 { margin: 0 0 .15rem; font-size: 1.05rem; }
.note p { margin: 0; }
.note.problem { border-color: var(--danger); background: color-mix(in srgb, var(--danger) 8%, var(--paper)); }
.message { padding-inline-start: 1.1rem; border-inline-start: 3px solid var(--line); font-size: 1.05rem; }
dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(14rem, 1fr)); gap: 1.1rem 2rem; margin: 0; }
dt { color: var(--soft); font-size: .875rem; }
dd { margin: .1rem 0 0; font-weight: 550; white-space: pre-line; unicode-bidi: plaintext; }
.day { margin-top: 1.75rem; }
.day:first-of-type { margin-top: 0; }
.day h3 { padding-bottom: .5rem; border-bottom: 2px solid var(--ink); }
.day h3 small { margin-inline-start: .5rem; color: var(--soft); font-weight: 400; font-size: .875rem; }
ul.lines { list-style: none; margin: 0; padding: 0; }
.line { display: grid; grid-template-columns: minmax(0, 1fr) max-content; gap: .1rem 1.5rem; padding: .85rem 0;
  border-bottom: 1px solid var(--line); }
.line .name { font-weight: 600; }
.line .amount { font-variant-numeric: tabular-nums; text-align: end; white-space: nowrap; font-weight: 550; }
.line .details { grid-column: 1; color: var(--soft); font-size: .925rem; }
.line s { color: var(--soft); font-weight: 400; margin-inline-end: .4rem; }
.option { grid-template-columns: max-content minmax(0, 1fr) max-content; gap: .1rem .8rem; padding-inline: .75rem;
  margin-inline: -.75rem; cursor: pointer; border-radius: .4rem; }
.option:hover { background: var(--tint); }
.option .details { grid-column: 2; }
.option input { grid-row: span 2; }
.option:has(input:checked) { background: var(--tint); }
.option:not(:has(input:checked)) .amount { color: var(--soft); font-weight: 400; }
input[type=checkbox], input[type=radio] { width: 1.25rem; height: 1.25rem; margin: .13rem 0 0; accent-color: var(--accent); }
fieldset { margin: 0 0 1rem; padding: 0; border: 0; min-width: 0; }
legend { padding: 1rem 0 .25rem; font-weight: 600; }
legend small, .tag { color: var(--accent); font-size: .8rem; font-weight: 600; margin-inline-start: .4rem; }
.totals { width: min(100%, 25rem); margin: 1.5rem 0 0 auto; border-collapse: collapse; font-variant-numeric: tabular-nums; }
.totals th { text-align: start; font-weight: 400; color: var(--soft); padding: .3rem 1rem .3rem 0; }
.totals td { text-align: end; white-space: nowrap; padding: .3rem 0; }
.totals .subtotal th, .totals .subtotal td { border-top: 1px solid var(--line); color: var(--ink); font-weight: 550; }
.totals .total th, .totals .total td { border-top: 2px solid var(--ink); padding-top: .7rem; font-size: 1.25rem; font-weight: 680;
  color: var(--ink); }
.recalculate { text-align: end; margin: 1rem 0 0; }
.contract { max-height: 22rem; overflow: auto; padding: 1.1rem 1.25rem; border: 1px solid var(--line); border-radius: .5rem; font-size: .95rem; }
.contract:focus-visible { outline: 2px solid var(--accent); }
.accept { padding: 1.75rem; border: 2px solid var(--accent); border-radius: .75rem; }
.accept p { margin: 0 0 1rem; }
.field { display: block; margin: 0 0 1.1rem; font-weight: 600; }
.field small { display: block; font-weight: 400; color: var(--soft); }
.field input, .field textarea, .field select { display: block; width: 100%; margin-top: .35rem; padding: .65rem .8rem; font: inherit;
  color: var(--ink); background: var(--paper); border: 1px solid color-mix(in srgb, var(--soft) 70%, var(--paper)); border-radius: .45rem; }
.field textarea { min-height: 7rem; resize: vertical; }
.signature input { font-size: 1.35rem; font-style: italic; }
.check { display: flex; gap: .7rem; margin: 0 0 1.25rem; cursor: pointer; }
.check input { flex: none; }
.error { display: block; margin-top: .3rem; color: var(--danger); font-weight: 600; font-size: .925rem; }
button, .button { display: inline-block; padding: .7rem 1.35rem; font: inherit; font-weight: 600; line-height: 1.3; color: var(--on-accent);
  background: var(--accent); border: 1px solid var(--accent); border-radius: .5rem; cursor: pointer; text-decoration: none; }
button:hover, .button:hover { filter: brightness(1.08); }
.quiet { color: var(--accent); background: transparent; border-color: color-mix(in srgb, var(--accent) 45%, var(--paper)); padding: .45rem .9rem; }
.accept button { width: 100%; font-size: 1.1rem; padding: .9rem; }
:focus-visible { outline: 3px solid color-mix(in srgb, var(--accent) 55%, transparent); outline-offset: 2px; }
details { margin-top: 1rem; border: 1px solid var(--line); border-radius: .6rem; }
summary { padding: .85rem 1.1rem; font-weight: 600; cursor: pointer; border-radius: .6rem; }
details form { padding: .25rem 1.1rem 1.1rem; }
a { color: var(--accent); }
footer { margin-top: 3rem; padding-top: 1.5rem; border-top: 1px solid var(--line); color: var(--soft); font-size: .875rem; }
footer p { margin: 0 0 .5rem; }
.proof { font-size: .8rem; color: var(--soft); overflow-wrap: anywhere; }
.lost { max-width: 34rem; margin: 10vh auto 0; text-align: center; }
.lost h1 { margin-top: 1rem; font-size: 1.5rem; }
.lost p { color: var(--soft); text-wrap: balance; }
.lost .seller { justify-content: center; }
.script .noscript, .printed { display: none; }
@media (max-width: 40rem) {
  body { padding: 0; background: var(--paper); }
  .sheet { padding: 1.5rem 1.25rem 2.5rem; border-radius: 0; box-shadow: none; }
  h1 { margin-top: 1.5rem; font-size: 1.55rem; }
  .hero { padding: 1.1rem; }
  .figure { font-size: 1.9rem; }
  .accept { padding: 1.25rem; margin-inline: -.35rem; }
  .line { gap: .1rem .9rem; }
  .option { gap: .1rem .7rem; }
  .line .details { grid-column: 1 / -1; }
  .option .details { grid-column: 2 / -1; }
}
@media print {
  @page { margin: 16mm; }
  body { padding: 0; background: none; font-size: 10pt; }
  main { max-width: none; }
  .sheet { padding: 0; box-shadow: none; border-radius: 0; border-top: 0; }
  .tools, .recalculate, .actions, .noprint { display: none; }
  .printed { display: block; }
  .contract { max-height: none; overflow: visible; padding: 0; border: 0; }
  .line, .totals tr, .hero, dl, h2, h3 { break-inside: avoid; }
  h2, h3 { break-after: avoid; }
  .option:not(:has(input:checked)) { color: var(--soft); }
  section { margin-top: 1.5rem; }
  h1 { margin-top: 1.25rem; }
}
`
