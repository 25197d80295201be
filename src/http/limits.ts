/**
 * Sizes of what comes before a body. The URL's and the headers' limits are apart; the parser's own covers both, and is
 * far above them, since beyond it nobody can tell which of the two it was.
 */
export const URL_MAX_BYTES = 16 * 1024
export const HEADERS_MAX_BYTES = 16 * 1024
export const PARSER_MAX_BYTES = 256 * 1024

/** Of a body, where a route says nothing else. */
export const BODY_MAX_BYTES = 256 * 1024
/** The same in the console: a task of 10,000 control characters, each escaped, fits. */
export const CONSOLE_BODY_MAX_BYTES = 64 * 1024
/** An email address, a password and a company. Anyone can send it. */
export const SIGN_IN_MAX_BYTES = 8 * 1024
