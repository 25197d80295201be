/**
 * Size limits. URL and headers have separate limits. The parser's limit covers both and is far above them, because beyond
 * it we cannot tell which of the two was too long.
 */
export const URL_MAX_BYTES = 16 * 1024
export const HEADERS_MAX_BYTES = 16 * 1024
export const PARSER_MAX_BYTES = 256 * 1024

/** A body, unless the route sets its own limit. */
export const BODY_MAX_BYTES = 256 * 1024
/** A console body. A task of 10,000 escaped control characters fits. */
export const CONSOLE_BODY_MAX_BYTES = 64 * 1024
/** An email address, a password and a company. Anyone can send it. */
export const SIGN_IN_MAX_BYTES = 8 * 1024
