/** A status as a word on a colored background. */

/** Text and background, light and dark. The contrast of each pair is at least 4.5 to 1. */
export const TONES = {
  gray: ['#45515c', '#e9eef3', '#c3ccd5', '#303b46'],
  blue: ['#1c5196', '#e3eefb', '#a5cbf7', '#1d3652'],
  green: ['#085a56', '#d7f0ea', '#8ddcc9', '#13403a'],
  red: ['#9b2226', '#fbe6e6', '#f6b1b1', '#4d2528'],
  amber: ['#7a4b05', '#fbeed6', '#f0cd8a', '#46351a'],
} as const

export type Tone = keyof typeof TONES

interface StatusProps {
  tone: Tone
  className: string
  children: string
}

export function Status({ tone, className, children }: StatusProps) {
  const style = { color: `var(--tone-${tone}-text)`, background: `var(--tone-${tone}-back)` }
  return (
    <span className={`app-status ${className}`} style={style}>
      {children}
    </span>
  )
}
