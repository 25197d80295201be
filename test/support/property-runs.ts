/** How many cases property tests run. vitest.config.ts sets lower numbers for `npm test`. */
export const RUNS = Number(process.env['PROPERTY_RUNS'] ?? 1000)

/** For cases that take about half a second, such as a PDF or a sale from quote to invoices. */
export const SLOW_RUNS = Number(process.env['SLOW_PROPERTY_RUNS'] ?? 25)
