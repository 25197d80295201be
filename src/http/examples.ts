/** Answers of the demo world, as the documentation shows them. A test compares each with what the demo really answers. */

export const QUOTE_EXAMPLE = {}
export const QUOTE_LIST_EXAMPLE = {}
