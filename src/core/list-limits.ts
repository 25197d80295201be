/** How many of its newest entries a page lists that has no next page. It says so when there can be more. */
export const REVISIONS_LISTED = 100
export const MAILS_LISTED = 50
