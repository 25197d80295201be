/** An item of the torture run, and its figures. */

export interface Figure {
  name: string
  value: number | string
  /** The goal as a text: `0`, `at most 2 s` */
  goal: string
  pass: boolean
  detail?: string
}

export interface Settings {
  /** The same seed leads to the same random choices. */
  seed: number
  /** A shorter version of the same checks. */
  quick: boolean
  /** Scratch folder for data and logs, removed afterwards. */
  folder: string
}

/** A program that does not come with npm. */
export interface Program {
  name: string
  debianPackage: string
}

export interface Item {
  /** Short, kebab-case, for `--only`. */
  name: string
  title: string
  /** Required programs. A run reports missing ones before it starts. */
  programs?: readonly Program[]
  run(settings: Settings): Promise<Figure[]>
}

/** Unlike `Math.max`, accepts more values than a function can have arguments. */
export function largest(values: readonly number[]): number {
  return values.reduce((most, value) => Math.max(most, value), 0)
}

/** A count with an upper limit. */
export function atMost(name: string, value: number, most: number, unit = '', detail?: string): Figure {
  const shown = Number.isInteger(value) ? value : Math.round(value * 1000) / 1000
  return {
    name,
    value: unit === '' ? shown : `${shown} ${unit}`,
    goal: most === 0 ? '0' : `at most ${most}${unit === '' ? '' : ` ${unit}`}`,
    pass: value <= most,
    ...(detail === undefined ? {} : { detail }),
  }
}

/**
 * A latency goal relative to the idle machine: a multiple of the p99 of a single client. Latencies up to `leastS` always
 * pass, because a multiple of a few milliseconds is not noticeable.
 */
export function atMostTimesIdle(
  name: string,
  ms: number,
  { idleMs, times, leastS, detail }: { idleMs: number; times: number; leastS: number; detail?: string },
): Figure {
  const mostMs = Math.max(leastS * 1000, times * idleMs)
  const relation = `at most ${times} × the idle p99 of ${idleMs.toFixed(1)} ms, or ${leastS} s`
  return atMost(name, ms / 1000, Math.ceil(mostMs) / 1000, 's', [relation, detail].filter(Boolean).join('; '))
}

/** A count with a lower limit, such as completed work, so that a check without work does not pass. */
export function atLeast(name: string, value: number, least: number, detail?: string): Figure {
  return {
    name,
    value,
    goal: `at least ${least}`,
    pass: value >= least,
    ...(detail === undefined ? {} : { detail }),
  }
}

export function exactly(
  name: string,
  value: number | string,
  wanted: number | string,
  detail?: string,
): Figure {
  return {
    name,
    value,
    goal: String(wanted),
    pass: value === wanted,
    ...(detail === undefined ? {} : { detail }),
  }
}
