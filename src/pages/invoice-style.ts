/** The style sheet of the invoice page, for screens, phones and print. The palette is in company-header.ts. */
export const INVOICE_STYLE = `
* { box-sizing: border-box; }
body { margin: 0; padding: 2rem 1rem; background: var(--ground); color: var(--ink);
  font: 1rem/1.5 Inter, "Inter Fallback", system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
  text-size-adjust: 100%; -webkit-text-size-adjust: 100%; }
.sheet { max-width: 46rem; margin: 0 auto; padding: 3rem; background: var(--paper);
  border-radius: .75rem; box-shadow: 0 1px 2px #1d273314, 0 8px 32px #1d27331a; overflow-wrap: anywhere; }
/* Texts of any length. A kerned word of 10,000 letters takes Chromium seconds to break into lines. */
.address, h1, .text, dd, td, th { font-kerning: none; }
/* Piles of combining marks stay with their text. */
.address, h1, .text, dd, td { overflow: clip; overflow-clip-margin: .4em; }
.top { display: flex; gap: 1rem 2rem; justify-content: space-between; align-items: flex-start; }
.top > div { flex: 1 1 auto; min-width: 0; }
.seller { margin-bottom: .5rem; }
.address { margin: 0; color: var(--soft); font-size: .9rem; unicode-bidi: isolate; }
h1 { margin: 2rem 0 0; padding-block: .1em; font-size: 1.75rem; line-height: 1.2; letter-spacing: -.01em; text-wrap: balance; }
h2 { margin: 0 0 .25rem; font-size: .8rem; text-transform: uppercase; letter-spacing: .06em; color: var(--soft); }
.status { flex: none; margin: .25rem 0 0; padding: .2rem .8rem; border: 1px solid currentColor; border-radius: 99rem;
  font-size: .85rem; font-weight: 650; color: var(--accent); background: color-mix(in srgb, currentColor 7%, var(--paper)); }
.overdue .status { color: var(--danger); }
.partiallypaid .status { color: light-dark(#8a5a00, #f0bf68); }
.draft .status, .void .status { color: var(--soft); }
.note { margin: 1.5rem 0 0; padding: .75rem 1rem; border-inline-start: 4px solid var(--soft); background: var(--ground);
  border-radius: .25rem; }
.summary { display: flex; flex-wrap: wrap; gap: 1.5rem 2rem; justify-content: space-between; margin: 2rem 0; padding: 1.5rem 0;
  border-block: 1px solid var(--line); }
.amount { flex: 0 1 auto; }
.label, .due { margin: 0; color: var(--soft); }
.figure { margin: 0; font-size: 2.25rem; line-height: 1.2; font-weight: 650; letter-spacing: -.02em; font-variant-numeric: tabular-nums; }
.overdue .amount .due { color: var(--danger); font-weight: 600; }
.void .figure, .void .lines td, .void .totals .total td {
  text-decoration: line-through; text-decoration-thickness: 1px; color: var(--soft); }
dl { flex: 0 1 22rem; margin: 0; display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .35rem 1.5rem;
  align-content: center; }
dl div { display: contents; }
dt { color: var(--soft); }
dd { margin: 0; font-weight: 550; unicode-bidi: isolate; }
.text { white-space: pre-line; unicode-bidi: plaintext; }
table { width: 100%; border-collapse: collapse; }
.lines { margin-top: 1.5rem; }
th { text-align: start; font-weight: 600; }
.lines th { padding: .5rem 0; color: var(--soft); font-size: .85rem; border-bottom: 1px solid var(--line); }
.lines td { padding: .75rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
/* All the width that the numbers leave, and never more, whatever cannot be broken. */
.lines td:first-child { width: 100%; max-width: 0; white-space: pre-line; unicode-bidi: plaintext; }
.lines .number { padding-inline-start: 1.5rem; text-align: end; white-space: nowrap; width: 1%; unicode-bidi: isolate; }
td { font-variant-numeric: tabular-nums; }
.totals { width: min(100%, 22rem); margin: 1rem 0 0; margin-inline-start: auto; }
.totals, .totals tbody { display: block; }
.totals tr { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: baseline; gap: 0 1rem; padding: .3rem 0; }
.totals th, .totals td { padding: 0; }
.totals th { flex: 1 1 0; min-width: 8rem; }
.totals td { margin-inline-start: auto; white-space: nowrap; unicode-bidi: isolate; }
.totals th { font-weight: 400; color: var(--soft); }
.totals .total { margin-top: .3rem; border-top: 1px solid var(--line); padding-top: .6rem; }
.totals .total th, .totals .total td { font-weight: 600; color: var(--ink); }
.totals .due { margin-top: .3rem; padding-top: .6rem; border-top: 2px solid var(--ink); }
.totals .due th, .totals .due td { font-weight: 650; color: var(--ink); font-size: 1.1rem; }
.notes { margin-top: 2.5rem; padding-top: 1.5rem; border-top: 1px solid var(--line); }
.notes .text { margin: 0; }
.footer { margin: 2.5rem 0 0; color: var(--soft); font-size: .9rem; }
.download { margin: 2rem 0 0; }
a { color: var(--accent); font-weight: 600; text-underline-offset: .2em; }
.lost { text-align: center; max-width: 32rem; }
.lost h1 { font-size: 1.5rem; }
.lost p { margin-bottom: 0; color: var(--soft); text-wrap: balance; }
@media (max-width: 36rem) {
  body { padding: 0; background: var(--paper); }
  .sheet { padding: 1.5rem 1.25rem; border-radius: 0; box-shadow: none; }
  .top { flex-direction: column; }
  .top > div { max-width: 100%; }
  .status { order: -1; margin: 0; }
  h1 { font-size: 1.45rem; }
  .summary { margin: 1.5rem 0; }
  .figure { font-size: 2rem; }
  .figure.long { font-size: 1.35rem; }
  dl { flex-basis: 100%; }
  /* A line of the invoice takes two of the screen: what it is, then how many and how much. */
  .lines { border-top: 1px solid var(--line); }
  .lines, .lines tbody { display: block; }
  .lines thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .lines tr { display: flex; flex-wrap: wrap; justify-content: space-between; gap: .15rem 1rem; padding: .75rem 0;
    border-bottom: 1px solid var(--line); }
  .lines td { padding: 0; border: 0; }
  .lines td:first-child { flex: 1 0 100%; max-width: 100%; }
  .lines .number { padding: 0; width: auto; margin-inline-start: auto; }
  .lines .quantity { margin: 0; color: var(--soft); }
  .quantity::before { content: "Quantity "; }
  .unit:not(:empty)::before { content: "× "; }
  .totals { width: 100%; }
  .totals .due th, .totals .due td { font-size: 1rem; }
}
@media print {
  @page { margin: 18mm; }
  body { padding: 0; background: none; font-size: 10.5pt; }
  .sheet { max-width: none; padding: 0; box-shadow: none; border-radius: 0; }
  .status, .note { background: none; }
  .download { display: none; }
  tr, .totals, .top, .summary, h2 { break-inside: avoid; }
  h2, .totals { break-after: avoid; }
  .totals { break-before: avoid; }
  thead { display: table-header-group; }
}
`
