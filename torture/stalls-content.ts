/** Content of hostile requests that is expensive for parsers, decoders, regular expressions and searches. */

/** A text of this size with repeated pieces in the middle. */
export function fill(start: string, piece: string, end: string, bytes: number): string {
  const room = bytes - Buffer.byteLength(start) - Buffer.byteLength(end)
  return start + piece.repeat(Math.max(0, Math.floor(room / Buffer.byteLength(piece)))) + end
}

export const BODIES: Record<string, (bytes: number) => string> = {
  'an array of ones': (bytes) => fill('{"x":[', '1,', '1]}', bytes),
  'an array of empty objects': (bytes) => fill('{"x":[', '{},', '1]}', bytes),
  'deep arrays': (bytes) => fill('{"x":', '[', '', bytes / 2) + fill('', ']', '}', bytes / 2),
  'deep objects': (bytes) => fill('', '{"a":', '1', (bytes * 5) / 6) + fill('', '}', '', bytes / 6),
  'unclosed arrays': (bytes) => fill('{"x":', '[', '', bytes),
  'many members': (bytes) =>
    `{${Array.from({ length: Math.floor(bytes / 10) }, (_, i) => `"${i.toString(36).padStart(5, '0')}":1`).join(',')}}`,
  'one string': (bytes) => fill('{"x":"', 'a', '"}', bytes),
  'escaped surrogate pairs': (bytes) => fill('{"x":"', String.raw`\ud83c\udf89`, '"}', bytes),
  'escaped backslashes before a surrogate pair': (bytes) =>
    fill('{"x":"', '\\\\', String.raw`\ud83c\udf89"}`, bytes),
  'escaped control characters': (bytes) => fill('{"x":"', String.raw`\u0001`, '"}', bytes),
  'characters of four bytes': (bytes) => fill('{"x":"', '\u{1F389}', '"}', bytes),
  'an escaped surrogate pair, then whitespace': (bytes) =>
    fill(String.raw`{"x":"\ud83c\udf89"`, ' ', '}', bytes),
  'brackets in a string, then whitespace': (bytes) => fill(`{"x":"${'['.repeat(20)}"`, ' ', '}', bytes),
  'an escaped surrogate pair, then many strings': (bytes) =>
    fill(String.raw`{"x":["\ud83c\udf89",`, `"${'a'.repeat(86)}",`, '1]}', bytes),
  whitespace: (bytes) => fill('{"x":1', ' ', '}', bytes),
  'a long number': (bytes) => fill('{"x":', '1', '}', bytes),
}

/** Content of paths, or of queries for paths without an id. */
export const TARGETS: Record<string, string> = {
  'one letter': 'a',
  'percent-encoded letters': '%61',
  'percent signs and letters': '%aaaa',
  'percent signs encoded three times': '%252525',
  'percent-encoded emoji': '%F0%9F%8E%89',
  'invalid percent-encodings': '%zz',
  'key prefixes': 'eqs_aaaaaaaaaaaa',
}
export const QUERIES: Record<string, string> = {
  'empty parameters': 'a&',
  'one parameter many times': 'limit=1&',
  'encoded names of secrets': 'key=a%26',
  'many expansions': 'expand[]=lead&',
  'many expansions in one': 'expand=lead,data.lead,',
  'invalid values': 'a=%&',
  'invalid names': '%&',
  'open brackets': '[',
  'plus signs': '+',
}
export const HEADERS: Record<string, string> = {
  cookie: 'a=b; ',
  'x-forwarded-for': '127.0.0.1, ',
  'accept-language': 'de-DE;q=0.1, ',
  'accept-encoding': 'gzip;q=0.1, ',
  'content-type': 'application/json; charset=utf-8; ',
  origin: 'https://a.',
  'x-request-id': 'a',
}
/** Room for the other headers below the limit of 16 KiB. */
export const HEADER_BYTES = 15_000
