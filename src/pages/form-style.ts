/** The style sheet of forms. The palette is that of the company header. */
export const FORM_STYLE = `
* { box-sizing: border-box; }
body { margin: 0; padding: 2rem 1rem; background: var(--ground); color: var(--ink);
  font: 1rem/1.5 Inter, "Inter Fallback", system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
  text-size-adjust: 100%; -webkit-text-size-adjust: 100%; }
.sheet { max-width: 40rem; margin: 0 auto; padding: 2.5rem; background: var(--paper); border-radius: .75rem;
  box-shadow: 0 1px 2px #1d273314, 0 8px 32px #1d27331a; overflow-wrap: anywhere; border-top: 4px solid var(--accent); }
/* Texts of any length. */
h1, h2, label, legend, .hint, .text { font-kerning: none; overflow: clip; overflow-clip-margin: .4em; }
h1 { margin: 1.5rem 0 0; font-size: 1.75rem; line-height: 1.2; letter-spacing: -.01em; text-wrap: balance; }
h2 { margin: 0; font-size: 1.15rem; line-height: 1.3; }
.text { margin: .75rem 0 0; color: var(--soft); white-space: pre-line; unicode-bidi: plaintext; }
.question { min-width: 0; margin: 1.5rem 0 0; padding: 0; border: 0; }
label.title, legend { display: block; padding: 0; font-weight: 600; unicode-bidi: plaintext; }
.optional { color: var(--soft); font-weight: 400; font-size: .9rem; }
.hint { margin: .1rem 0 0; color: var(--soft); font-size: .95rem; white-space: pre-line; unicode-bidi: plaintext; }
input:not([type=radio], [type=checkbox]), select, textarea { display: block; width: 100%; margin: .4rem 0 0; padding: .6rem .75rem;
  font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--soft); border-radius: .4rem; min-height: 2.75rem; }
textarea { min-height: 7rem; resize: vertical; }
input.short { max-width: 12rem; }
.choice { display: flex; gap: .6rem; align-items: flex-start; margin: .35rem 0 0; padding: .3rem 0; }
.choice input { flex: none; width: 1.15rem; height: 1.15rem; margin: .18rem 0 0; accent-color: var(--accent); }
.choice span { min-width: 0; unicode-bidi: plaintext; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.error { margin: .35rem 0 0; color: var(--danger); font-weight: 600; font-size: .95rem; }
.invalid input:not([type=radio], [type=checkbox]), .invalid select, .invalid textarea { border-color: var(--danger);
  box-shadow: inset 0 0 0 1px var(--danger); }
.problems { margin: 1.5rem 0 0; padding: 1rem 1.25rem; border-inline-start: 4px solid var(--danger); background: var(--tint);
  border-radius: .25rem; }
.problems p { margin: 0; font-weight: 600; }
.problems ul { margin: .5rem 0 0; padding-inline-start: 1.25rem; }
.problems a { color: inherit; }
.more { position: absolute; inset-inline-start: -99rem; width: 1px; height: 1px; overflow: hidden; }
button { margin: 2rem 0 0; padding: .75rem 1.75rem; min-height: 2.75rem; font: inherit; font-weight: 650; color: var(--on-accent);
  background: var(--accent); border: 0; border-radius: .4rem; cursor: pointer; }
button:disabled { opacity: .6; cursor: default; }
.message { text-align: start; }
@media (max-width: 32rem) { body { padding: 0; } .sheet { padding: 1.5rem 1.1rem; border-radius: 0; box-shadow: none; min-height: 100vh; }
  button { width: 100%; } input.short { max-width: none; } }
@media print { body { padding: 0; background: none; } .sheet { box-shadow: none; padding: 0; } button { display: none; } }
`
