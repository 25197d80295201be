/** Finds accessibility violations for keyboards, screen readers and low vision, with the rules of axe. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { finishAnimations } from './console-pages.ts'

/** Half the size of `axe.source`, which matters because every page parses it. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The option list of a select needs no focus, because the keys of its input scroll it. */
const isListOfField = (id: string, html: string) =>
  id === 'scrollable-region-focusable' && html.includes('mantine-ScrollArea-viewport')

/** The rules that a change of the color scheme can break. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block']

interface Checked {
  /** A selector of parts of the page. The whole page is checked without one. */
  parts?: string | undefined
  rules?: 'all' | 'colors'
}

/** Every violation on the page, or in the visible parts of it. */
export async function findViolations(
  page: Page,
  { parts = 'html', rules = 'all' }: Checked = {},
): Promise<axe.Result[]> {
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(AXE)
  const where = JSON.stringify(parts)
  const options: axe.RunOptions = {
    resultTypes: ['violations'],
    // Would load all style sheets again, only for a rule that console-accessibility.test.ts checks.
    preload: false,
    ...(rules === 'colors' && { runOnly: { type: 'rule', values: COLOR_RULES } }),
  }
  // A menu can close by itself before the check.
  return page.evaluate<axe.Result[]>(`{
    const include = [...document.querySelectorAll(${where})].filter((part) => part.checkVisibility())
    include.length === 0 ? []
      : axe.run({ include }, ${JSON.stringify(options)}).then((result) => result.violations)
  }`)
}

/** Violations that are serious or critical. */
export async function findBarriers(page: Page, checked?: Checked): Promise<string[]> {
  const violations = await findViolations(page, checked)
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes
        .filter(({ html }) => !isListOfField(id, html))
        .map(({ html, failureSummary }) => `${id}: ${html.slice(0, 300)} ${failureSummary}`),
    )
}

/** Waits for the end of animations, because colors differ during them. Repeats the check if it fails. */
export async function expectNoBarriers(page: Page): Promise<void> {
  await finishAnimations(page)
  await expect.poll(() => findBarriers(page), { interval: 500 }).toEqual([])
}
