import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { newId } from '../src/core/ids.ts'
import { insert } from '../test/support/records.ts'
import { expectNoBarriers } from './barriers.ts'
import { startConsole } from './console.ts'
import { styleOf } from './styles.ts'

const app = await startConsole()
const { companyId, database } = app

const LONG_PATH = `/api/quotes?${'expand%5B%5D=data.location&'.repeat(18)}limit=100`

async function logRequest(row: Record<string, unknown>): Promise<void> {
  await insert(database.pool, 'request_log', {
    company_id: companyId,
    id: newId('log'),
    at: new Date(),
    key_id: 'key_with_a_name_that_is_far_longer_than_the_name_of_a_key',
    method: 'GET',
    path: '/api/quotes',
    status: 200,
    duration_us: 12_345_678,
    request_id: `req_${'0123456789abcdef'.repeat(4)}`,
    ...row,
  })
}

for (const [status, code, message, param] of [
  [405, 'method_not_allowed', 'DELETE is not supported here; use GET, HEAD', null],
  [431, 'headers_too_large', 'The request headers are too large. Send at most 16 KiB.', null],
  [400, 'invalid_parameter', `Unknown expansion path "${'x'.repeat(400)}"`, 'x'.repeat(300)],
  [400, 'invalid_parameter', 'limit must be an integer between 1 and 100', 'limit'],
  [500, 'server_error', 'Something went wrong on our side.', null],
] as const)
  await logRequest({ status, error_code: code, error_message: message, error_param: param })
await logRequest({ path: LONG_PATH })
await logRequest({ path: '/api/staff/n%C3%B6body%20%E2%80%AE%00%ZZ', status: 404, error_code: 'not_found' })
await logRequest({
  status: 401,
  denial: 'address 203.0.113.7 not allowed',
  error_code: 'missing_or_invalid_api_key',
  error_message: 'The API key is missing or invalid.',
})
// The widest time in English.
const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
await logRequest({ at: new Date(`${yesterday}T17:07:36Z`) })
// From a version that did not store errors.
await logRequest({ status: 404, path: '/api/before' })

const row = (page: Page, text: string | RegExp) =>
  page.locator('.request-log-body').getByRole('row').filter({ hasText: text }).first()
const open = async (options: Parameters<typeof app.open>[1] = {}) => {
  const page = await app.open('/settings/requests', options)
  await row(page, '405').waitFor()
  return page
}

describe('the request log', async () => {
  const resized = await app.open('/settings/requests')
  const resize = async (width: number) => {
    const page = resized
    await page.setViewportSize({ width, height: 900 })
    await row(page, '405').waitFor()
    return page
  }

  it.each([360, 768, 1280, 1920])('fits a window of %i px: nothing scrolls or is cut off', async (width) => {
    const page = await resize(width)
    const root = await page.evaluate<number[]>(
      '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
    )
    expect(root[0]).toBeLessThanOrEqual(root[1] ?? 0)
    // Only a path and the name of a key may end in an ellipsis. Both widths are rounded, so one pixel is no difference.
    const cut = await page.evaluate<string[]>(
      `[...document.querySelectorAll('.request-log [role="cell"], .request-log [role="cell"] *')]
        .filter((one) => getComputedStyle(one).textOverflow !== 'ellipsis' && !one.closest('.request-log-path'))
        .filter((one) => one.clientWidth > 1 && one.scrollWidth > one.clientWidth + 1)
        .map((one) => one.className + ': ' + one.textContent)`,
    )
    expect(cut).toEqual([])
    // Cells of a row do not overlap.
    const overlaps = await page.locator('.request-log-body [role="row"]').evaluateAll((rows) =>
      rows.flatMap((one) => {
        const boxes = [...one.children].map((cell) => cell.getBoundingClientRect())
        const isOver = (a: (typeof boxes)[number], b: (typeof boxes)[number]) =>
          a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1
        return boxes.flatMap((a, i) => boxes.slice(i + 1).filter((b) => isOver(a, b)))
      }),
    )
    expect(overlaps).toEqual([])
  })

  it.each([1280, 1440, 1920])('has columns at %i px that are wide enough for their cells', async (width) => {
    const page = await resize(width)
    await row(page, ':07:36').waitFor()
    const wide = await page.evaluate<string[]>(
      `[...document.querySelectorAll('.request-log-body [role="row"]')].flatMap((row) => {
        const tracks = getComputedStyle(row).gridTemplateColumns.split(' ').map(parseFloat)
        return [...row.children].flatMap((cell, i) => {
          const { width } = cell.getBoundingClientRect()
          return width > tracks[i] + 0.5 ? [cell.className + ': ' + width + ' in ' + tracks[i]] : []
        })
      })`,
    )
    expect(wide).toEqual([])
    const { width: table = 0 } = (await page.getByRole('table', { name: 'Requests' }).boundingBox()) ?? {}
    // Beside the navigation and the padding.
    expect(table).toBeGreaterThan(width - 400)
  })

  it('names each status, and shows code, message and parameter of an error', async () => {
    const page = await open()
    await expect
      .poll(() => row(page, '405').innerText())
      .toMatch(/405 Method not allowed[\s\S]*DELETE is not supported here[\s\S]*Code method_not_allowed/)
    await expect
      .poll(() => row(page, 'limit must be').innerText())
      .toMatch(/400 Bad request[\s\S]*Code invalid_parameter\s*Parameter limit/)
    await expect.poll(() => row(page, '431').innerText()).toContain('431 Header fields too large')
    await expect.poll(() => row(page, '500').innerText()).toContain('500 Internal server error')
    // The reason of a denial, which the response does not contain.
    await expect
      .poll(() => row(page, '401').innerText())
      .toMatch(/401 Unauthorized[\s\S]*203\.0\.113\.7, which is not an allowed IP address/)
    await expect.poll(() => row(page, '/api/before').innerText()).not.toContain('Code')
  })

  it('shows a decoded path on one line, and unfolds it', async () => {
    const page = await open()
    const path = row(page, 'data.location').getByRole('button', { name: /GET/ })
    const decoded = LONG_PATH.replaceAll('%5B%5D', '[]')
    expect(await path.getAttribute('title')).toBe(decoded)
    const isCut = () => path.evaluate((one) => one.scrollWidth > one.clientWidth + 1)
    expect(await isCut()).toBe(true)
    const { height = 0 } = (await path.boundingBox()) ?? {}
    expect(height).toBeLessThan(30)
    await path.focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => path.getAttribute('aria-expanded')).toBe('true')
    expect(await isCut()).toBe(false)
    await expect.poll(() => row(page, 'data.location').innerText()).toContain(`Sent as ${LONG_PATH}`)
  })

  it('keeps characters encoded that could hide or reorder text', async () => {
    const page = await open()
    await expect
      .poll(() => row(page, 'nöbody').locator('.request-log-path').textContent())
      .toBe('GET /api/staff/nöbody %E2%80%AE%00%ZZ')
  })

  it('finds a path by its decoded text', async () => {
    const page = await open()
    await page.getByLabel('Path contains').fill('expand[]=data.location')
    await expect.poll(() => page.locator('.request-log-body').getByRole('row').count()).toBe(1)
  })

  it.each([
    ['no-preference', true],
    ['reduce', false],
  ] as const)(
    'shows a skeleton while it loads; with motion "%s" it pulses: %s',
    async (reducedMotion, isAnimated) => {
      const page = await app.open('/settings', { reducedMotion })
      await page.route('**/console/request-log*', () => undefined)
      await page.getByRole('link', { name: 'Request log' }).click()
      const bones = page
        .getByRole('status', { name: 'Loading the request log' })
        .locator('.mantine-Skeleton-root')
      await bones.first().waitFor()
      expect(await bones.count()).toBeGreaterThan(10)
      expect((await styleOf(bones.first(), 'animation-name', '::after')) !== 'none').toBe(isAnimated)
      expect(await page.locator('.mantine-Loader-root').count()).toBe(0)
    },
  )

  it.each([
    ['light', 1280],
    ['dark', 360],
  ] as const)('has no barriers with an unfolded path, %s', async (colorScheme, width) => {
    const page = await open({ colorScheme, viewport: { width, height: 900 } })
    await row(page, 'data.location').getByRole('button', { name: /GET/ }).click()
    await expectNoBarriers(page)
  })
})
