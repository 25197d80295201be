/** The steps of the journey: each has a screenshot, a duration and a number of clicks. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'

interface Step {
  name: string
  seconds: number
  clicks: number
  screenshot: string
}

const FOLDER = '.journey'

/** Counts mouse clicks in the page. A press of Enter also fires a click event, but with a detail of 0. */
const COUNT_CLICKS = `addEventListener('click', (event) => {
  if (event.isTrusted && event.detail > 0) window.countClick()
}, true)`

export class Journey {
  readonly page: Page
  readonly steps: Step[] = []
  #clicks = 0

  private constructor(page: Page) {
    this.page = page
  }

  static async start(page: Page): Promise<Journey> {
    rmSync(FOLDER, { recursive: true, force: true })
    mkdirSync(FOLDER)
    const journey = new Journey(page)
    await page.exposeFunction('countClick', () => void journey.#clicks++)
    await page.addInitScript(COUNT_CLICKS)
    return journey
  }

  /** Runs a step, and returns its number of clicks. */
  async step(name: string, run: () => Promise<void>): Promise<number> {
    return this.stepOf(this.page, name, run)
  }

  /** Runs a step on another page, such as a visitor's. Clicks on other pages are not counted. */
  async stepOf(page: Page, name: string, run: () => Promise<void>): Promise<number> {
    const start = performance.now()
    const before = this.#clicks
    await run()
    const seconds = Math.round((performance.now() - start) / 100) / 10
    const slug = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
    const screenshot = `${String(this.steps.length + 1).padStart(2, '0')}-${slug}.png`
    await page.evaluate('scrollTo(0, 0)')
    await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
    await page.screenshot({ path: join(FOLDER, screenshot), fullPage: true })
    const clicks = this.#clicks - before
    this.steps.push({ name, seconds, clicks, screenshot })
    writeFileSync(join(FOLDER, 'journey.json'), `${JSON.stringify(this.steps, null, 2)}\n`)
    return clicks
  }

  /** One line per step. */
  describe(): string {
    const width = Math.max(...this.steps.map(({ name }) => name.length))
    return this.steps
      .map(({ name, seconds, clicks }) => `${name.padEnd(width)}  ${seconds.toFixed(1)} s  ${clicks} clicks`)
      .join('\n')
  }
}
