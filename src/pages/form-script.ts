/** The scripts of forms. The page works without them. */

/** Shows and hides questions while the visitor answers. In a frame it also tells the height. */
export const FORM_SCRIPT = `'use strict';
(() => {
  const form = document.querySelector('form.questions');
  if (form) {
    const all = new Map([...form.querySelectorAll('fieldset[data-at]')].map((each) => [each.dataset.at, each]));
    const valuesOf = (question) => question.disabled ? [] :
      [...question.querySelectorAll('[name^="q."]')]
        .filter((input) => !/^(radio|checkbox)$/.test(input.type) || input.checked)
        .map((input) => input.value.trim().toLowerCase());
    const update = () => {
      for (const question of all.values()) {
        if (question.dataset.when === undefined) continue;
        const isShown = valuesOf(all.get(question.dataset.when)).includes(question.dataset.equals);
        question.hidden = question.disabled = !isShown;
      }
    };
    form.addEventListener('input', update);
    form.addEventListener('change', update);
    update();
    // Submitting twice is harmless, but confusing.
    form.addEventListener('submit', () => setTimeout(() => { form.querySelector('button').disabled = true; }));
    // A page from the history would be sent with its old id.
    addEventListener('pageshow', (event) => { if (event.persisted) location.reload(); });
  }
  const problems = document.querySelector('.problems');
  if (problems) problems.focus();
  if (parent !== window)
    new ResizeObserver(() =>
      parent.postMessage({ formHeight: Math.ceil(document.body.getBoundingClientRect().height) }, '*'),
    ).observe(document.body);
})();
`

/** Puts the form into the page of another site, after the script element. The path is that of the form. */
export const EMBED_SCRIPT = `'use strict';
(() => {
  const script = document.currentScript;
  const frame = document.createElement('iframe');
  frame.src = script.src.replace(/\\/embed\\.js.*$/, '');
  frame.title = 'Form';
  frame.style.cssText = 'width:100%;min-height:30rem;border:0';
  script.after(frame);
  addEventListener('message', (event) => {
    const height = event.data && event.data.formHeight;
    if (event.source === frame.contentWindow && Number.isFinite(height)) frame.style.height = height + 'px';
  });
})();
`
