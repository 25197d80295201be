/** Page sizes of a checklist. A task may have 10,000 characters, and an event any number of tasks. */

/** Shown first, and added by each "Show more". */
export const CHECKLIST_PAGE = 100
/** The most that is shown. */
export const CHECKLIST_MAX = 1_000
/** Changed tasks read per call. Their ids alone may have 1 KiB each. */
export const TASKS_READ_MAX = 50
