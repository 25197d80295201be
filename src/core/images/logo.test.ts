import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LOGO_MAX_BYTES, logoUrl, readLogo, storedLogo } from './logo.ts'
import { sanitizeSvg } from './svg.ts'

const urlOf = (bytes: Buffer | string, type = 'image/png') =>
  `data:${type};base64,${Buffer.from(bytes).toString('base64')}`

/** A PNG header with this size, without image data. */
function png(width: number, height: number, extra = 0): Buffer {
  const size = Buffer.alloc(8)
  size.writeUInt32BE(width, 0)
  size.writeUInt32BE(height, 4)
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR', 'latin1'), size, Buffer.alloc(extra)])
}

/** A JPEG with an application segment before the frame header. */
function jpeg(width: number, height: number): Buffer {
  const frame = Buffer.from([0xff, 0xc2, 0, 11, 8, height >> 8, height & 255, width >> 8, width & 255, 1, 1])
  return Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff]), frame])
}

const svg = (inside: string, attributes = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"${attributes}>${inside}</svg>`

const sanitized = (inside: string) => sanitizeSvg(svg(inside)).text

describe('a logo', () => {
  it.each([
    ['PNG', png(4096, 1), 'image/png'],
    ['JPEG', jpeg(300, 200), 'image/jpeg'],
    ['SVG', svg('<path d="M0 0h9"/>', ' width="4096" height="20px"'), 'image/svg+xml'],
    ['SVG with a declaration', `<?xml version="1.0"?>\n<!-- x -->${svg('')}`, 'image/svg+xml'],
  ])('is recognized by its content: %s', (_, bytes, type) => {
    const logo = readLogo(urlOf(bytes, 'image/gif'))
    expect(logo).toMatchObject({ type })
    if ('problem' in logo) throw new Error(logo.problem)
    expect(readLogo(logoUrl(logo))).toEqual(logo)
    expect(storedLogo(logoUrl(logo))).toEqual(logo)
  })

  it.each([
    ['a GIF', 'GIF89a........', /PNG, JPEG or SVG/],
    ['an empty file', '', /PNG, JPEG or SVG/],
    ['bytes that are not UTF-8', Buffer.from([0xff, 0xfe, 0x3c]), /PNG, JPEG or SVG/],
    ['HTML', '<html><script>alert(1)</script></html>', /not an SVG image/],
    ['an svg without namespace', '<svg></svg>', /not an SVG image/],
    ['invalid XML', svg('<g>'), /well-formed/],
    ['a control character', `<?xml version="1.1"?>${svg('&#1;')}`, /well-formed/],
    ['two roots', svg('') + svg(''), /well-formed/],
    ['an unknown entity', svg('&nbsp;'), /well-formed/],
    ['entities', `<!DOCTYPE svg [<!ENTITY a "b">]>${svg('&a;')}`, /DOCTYPE/],
    ['too many elements', svg('<g/>'.repeat(5_001)), /5000 elements/],
    ['deep nesting', svg(`${'<g>'.repeat(60)}${'</g>'.repeat(60)}`), /nested too deeply/],
    ['too large a width', png(4097, 1), /4097 × 1 pixels/],
    ['too large a height', jpeg(10, 5000), /10 × 5000 pixels/],
    ['a large SVG', svg('', ' width="5000" height="1"'), /5000 × 1 pixels/],
    ['a width of 0', png(0, 10), /no pixels/],
    ['a truncated PNG header', png(10, 10).subarray(0, 20), /PNG, JPEG or SVG/],
    ['a JPEG without a frame', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 2]), /PNG, JPEG or SVG/],
    ['too many bytes', png(10, 10, LOGO_MAX_BYTES), /at most 512 KiB/],
    ['twice the maximum size', png(10, 10, 2 * LOGO_MAX_BYTES), /at most 512 KiB/],
  ])('is rejected: %s', (_, bytes, problem) => {
    expect(readLogo(urlOf(bytes))).toEqual({ problem: expect.stringMatching(problem) as string })
  })

  it.each([
    '',
    'https://example.com/logo.png',
    'data:image/png,abc',
    'data:text/html;base64,PGI+',
    'data:image/png;base64,a b',
  ])('is rejected with the URL "%s"', (url) =>
    expect(readLogo(url)).toEqual({ problem: expect.stringMatching(/data URL/) as string }),
  )
})

describe('a sanitized SVG', () => {
  it.each([
    ['scripts', '<script>alert(1)</script><g onclick="x()" onload="y()"/>', '<g></g>'],
    ['content of unknown elements', '<foreignObject><g/><iframe/></foreignObject><g/>', '<g></g>'],
    [
      'animations and images',
      '<set attributeName="href"/><image href="https://e.example/"/><use href="#a"/>',
      '',
    ],
    [
      'other namespaces',
      '<h:a xmlns:h="http://www.w3.org/1999/xhtml">x</h:a><g xml:base="https://e.example/"/>',
      '<g></g>',
    ],
    ['comments and instructions', '<!-- x --><?php echo 1 ?><g/>', '<g></g>'],
    ['links', '<a href="javascript:alert(1)"><g/></a>', ''],
    [
      'references to other files',
      '<rect fill="url(https://e.example/#a)" stroke="URL ( x )"/>',
      '<rect></rect>',
    ],
    ['escapes in values', String.raw`<rect fill="u\72l(https://e.example/)"/>`, '<rect></rect>'],
    [
      'styles that load',
      '<rect style="background:image-set(x)"/><style>@import "x";</style>',
      '<rect></rect><style></style>',
    ],
    [
      'styles in several parts',
      '<style>a{fill:ur<![CDATA[l(https://e.example/)}]]></style>',
      '<style></style>',
    ],
    [
      'nested clip paths',
      '<clipPath id="a" clip-path="url(#b)"><path clip-path="url(#b)"/></clipPath>',
      '<clipPath id="a"><path></path></clipPath>',
    ],
  ])('has no %s', (_, inside, expected) => {
    expect(sanitized(inside)).toBe(svg(expected).replace(/ xmlns:xlink="[^"]*"/, ''))
  })

  it('keeps shapes, gradients, texts and simple styles', () => {
    const kept =
      '<defs><linearGradient id="g"><stop offset="0" stop-color="#fff"></stop></linearGradient></defs><style>.a{fill:url(#g)}</style>' +
      '<path class="a" d="M0 0h9" transform="scale(2)" clip-path="url(#c)"></path><text x="1" style="font-size:9px">A &amp; B</text>'
    expect(sanitized(kept)).toContain(kept)
    expect(sanitized('<linearGradient id="b" xlink:href="#a"/>')).toContain(
      '<linearGradient id="b" href="#a">',
    )
  })

  it('does not change if it is sanitized again, and never has a script', () => {
    const piece = fc.constantFrom(
      '<g>',
      '</g>',
      '<style>',
      '</style>',
      '<script>',
      '</script>',
      '<path d="M0 0"/>',
      ' onload="x"',
      'url(',
      '#a)',
      '&lt;script&gt;',
      '<![CDATA[',
      ']]>',
      '<rect fill="',
      '"/>',
      '@import',
      '<svg xmlns="http://www.w3.org/2000/svg">',
      '</svg>',
      'text',
      '<a href="',
      '&#106;',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const read = readLogo(urlOf(svg(pieces.join(''))))
        if ('problem' in read) return
        expect(read.bytes.toString()).not.toMatch(/<script|<[^>]* on\w+=|<a |<style>[^<]*@import/)
        expect(readLogo(logoUrl(read))).toEqual(read)
      }),
      { numRuns: 2_000 },
    )
  })
})
