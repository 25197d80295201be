/** The arithmetic of a bar chart: where its lines, bars and labels go. Values are whole minor units, places are pixels. */

const NICE_STEPS = [1, 2, 5, 10]

/**
 * Zero, then equal steps of 1, 2 or 5 times a power of ten until all values are covered. The number of steps is limited.
 * Powers of ten are round in minor and major units. No step is less than one minor unit.
 */
export function niceTicks(largest: number, stepsMax: number): number[] {
  if (largest <= 0) return [0]
  const least = Math.max(1, largest / stepsMax)
  const power = 10 ** Math.floor(Math.log10(least))
  const step = power * (NICE_STEPS.find((nice) => nice * power >= least) ?? 10)
  return Array.from({ length: Math.ceil(largest / step) + 1 }, (_, i) => i * step)
}

/** The height of a value if `top` fills the height. A positive value is at least one pixel high. */
export function barHeight(value: number, top: number, height: number): number {
  return value <= 0 || top <= 0 ? 0 : Math.max(1, (value / top) * height)
}

export interface Band {
  /** What belongs to the bar: all of its share of the width. */
  start: number
  width: number
  center: number
  barStart: number
  barWidth: number
}

const BAR_SHARE = 0.62
const BAR_MAX = 44

/** Equal shares of the width, each with its bar in the middle. */
export function bandsOf(count: number, width: number): Band[] {
  const share = width / count
  const barWidth = Math.min(BAR_MAX, share * BAR_SHARE)
  return Array.from({ length: count }, (_, i) => {
    const center = (i + 0.5) * share
    return { start: i * share, width: share, center, barStart: center - barWidth / 2, barWidth }
  })
}

/** Which of the labels fit side by side: every one, every second …, always with the last. */
export function shownLabels(count: number, width: number, labelWidth: number): boolean[] {
  const every = Math.max(1, Math.ceil(labelWidth / (width / count)))
  return Array.from({ length: count }, (_, i) => (count - 1 - i) % every === 0)
}
