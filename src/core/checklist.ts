/** How much of a checklist is read at once. A task may have 10,000 characters, and an event any number of tasks. */

/** Shown at first, and with each "Show more". */
export const CHECKLIST_PAGE = 100
/** Shown at most. */
export const CHECKLIST_MAX = 1_000
/** Changed tasks that are read with one call: their ids alone may have 1 KiB each. */
export const TASKS_READ_MAX = 50
