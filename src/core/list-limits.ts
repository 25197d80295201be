/** Maximum entries of lists without pages. The page says if there may be more. */
export const REVISIONS_LISTED = 100
export const MAILS_LISTED = 50
