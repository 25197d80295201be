/** Sizes of what comes before a body. The URL's and the headers' limits are apart; the parser's own covers both. */
export const URL_MAX_BYTES = 16 * 1024
export const HEADERS_MAX_BYTES = 16 * 1024
export const PARSER_MAX_BYTES = 64 * 1024
