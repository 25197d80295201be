/** recheck proves that every regular expression takes linear time for any input. */
import { describe, expect, it } from 'vitest'
import { parseFolder, placeOf, walk } from '../../test/support/source-trees.ts'
import type { Node } from '../../test/support/source-trees.ts'

// Runs in this process instead of a native program.
process.env['RECHECK_BACKEND'] = 'pure'
const { check } = await import('recheck')

const files = parseFolder('src')
const found = files.flatMap((file) =>
  [...walk(file.program)].flatMap((node) => {
    const { regex } = node as Node & { regex?: { pattern: string; flags: string } }
    return regex === undefined ? [] : [{ place: placeOf(file, node), ...regex }]
  }),
)

describe('regular expressions', () => {
  it('are found', () => {
    expect(found.length).toBeGreaterThan(30)
    const texts = files.map(({ text }) => text).join('\n')
    // Roughly the number that a text search finds.
    expect(texts.match(/(?<=[(=\s])\/[^/*\s].*?\/[gimsuy]*\.(?:test|exec)\(/g)?.length).toBeLessThan(
      found.length,
    )
  })

  it.each(found.map((regex) => [regex.place, `/${regex.pattern}/${regex.flags}`, regex] as const))(
    '%s %s takes no more than linear time',
    async (_, __, { pattern, flags }) => {
      expect(await check(pattern, flags, { timeout: 20_000 })).toMatchObject({ status: 'safe' })
    },
  )

  it('are literals, not built from strings at run time', () => {
    const made = files.flatMap((file) =>
      [...walk(file.program)]
        .filter(
          ({ type, callee }) =>
            /^(New|Call)Expression$/.test(type) && (callee as { name?: string }).name === 'RegExp',
        )
        .map((node) => placeOf(file, node)),
    )
    expect(made).toEqual([])
  })

  it('are reported if they are slow', async () => {
    expect(await check('^(a+)+$', '')).toMatchObject({ status: 'vulnerable' })
    expect(await check(String.raw`\s+$`, '')).toMatchObject({ status: 'vulnerable' })
  })
})
