/** Images for tests. */
export const logoOf = (bytes: Buffer | string, type = 'image/png') =>
  `data:${type};base64,${Buffer.from(bytes).toString('base64')}`

/** In the stored format */
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 0h8v8z"></path></svg>'

export const TEST_LOGO = logoOf(SVG, 'image/svg+xml')
