/** What keeps people with a keyboard, a screen reader or weak eyes from using a page, by the rules of axe. */
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** The list of a select is scrolled by the keys of the field that it belongs to. */
const isListOfField = (id: string, html: string) =>
  id === 'scrollable-region-focusable' && html.includes('mantine-ScrollArea-viewport')

/** Every violation on the page as it stands, or in the parts of it that the selector names. */
export async function findViolations(page: Page, parts?: string): Promise<axe.Result[]> {
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(axe.source)
  const where = parts === undefined ? 'document' : JSON.stringify(parts)
  return page.evaluate<axe.Result[]>(
    `axe.run(${where}, { resultTypes: ['violations'] }).then((result) => result.violations)`,
  )
}

/** Those that are serious or worse. */
export async function findBarriers(page: Page, parts?: string): Promise<string[]> {
  const violations = await findViolations(page, parts)
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes
        .filter(({ html }) => !isListOfField(id, html))
        .map(({ html, failureSummary }) => `${id}: ${html.slice(0, 300)} ${failureSummary}`),
    )
}

/** What is still moving has colours in between: it is looked at when it should be still, and again if it was not. */
export async function expectNoBarriers(page: Page): Promise<void> {
  await page.waitForTimeout(400)
  await expect.poll(() => findBarriers(page), { interval: 500 }).toEqual([])
}
