/** The bytes of an answer. */

/**
 * Those of a list item by item: a text with one character beyond Latin-1 in it is kept at two bytes a character, and
 * everything done with it costs twice as much. So one name costs its own object, and not the whole page.
 */
export function answerBytes(body: object): Buffer {
  if (!isList(body)) return Buffer.from(JSON.stringify(body))
  const { data, ...envelope } = body
  const parts = [Buffer.from(`${JSON.stringify(envelope).slice(0, -1)},"data":[`)]
  for (const [i, item] of data.entries()) parts.push(Buffer.from((i === 0 ? '' : ',') + JSON.stringify(item)))
  parts.push(Buffer.from(']}'))
  return Buffer.concat(parts)
}

function isList(body: object): body is { data: readonly unknown[] } {
  return 'object' in body && body.object === 'list'
}
