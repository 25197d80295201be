/** Answers of the demo world, as the documentation shows them. A test compares each with what the demo really answers. */

export const QUOTE_EXAMPLE = {}
export const QUOTE_LIST_EXAMPLE = {}
export const TASK_BODY_EXAMPLE = {}
export const TASK_CREATION_EXAMPLE = {}
export const FORM_RESPONSE_EXAMPLE = {}
export const INVOICE_REFERENCE_EXAMPLE = {}
