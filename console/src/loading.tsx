/** Skeletons: gray shapes in place of content that is loading. */
import { Box, Group, Skeleton, Stack } from '@mantine/core'
import type { ReactNode } from 'react'

/** Announced as loading. The shapes say nothing to a screen reader. */
export function Loading({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div role="status" aria-label={label} aria-busy="true">
      <div aria-hidden="true">{children}</div>
    </div>
  )
}

interface BoneProps {
  /** A length, or a share of the space. */
  width?: number | string
  height?: number
  radius?: string | number
}

/** One shape. It pulses, unless the user prefers reduced motion (`app.css`). */
export function Bone({ width = '100%', height = 14, radius = 'sm' }: BoneProps) {
  return <Skeleton width={width} maw="100%" height={height} radius={radius} />
}

const TEXT_EM = 0.7

interface TextBoneProps {
  width: number | string
  fz?: string
  /** The line height of the text. */
  lh?: number
}

/** A shape for one line of text, as high as the line. */
export function TextBone({ width, fz = 'sm', lh = 1.55 }: TextBoneProps) {
  const margin = `${(lh - TEXT_EM) / 2}em`
  return (
    <Box component="span" fz={fz} display="flow-root" maw="100%">
      <Skeleton
        component="span"
        display="block"
        height={`${TEXT_EM}em`}
        my={margin}
        width={width}
        maw="100%"
      />
    </Box>
  )
}

export const countTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i)

const NAME_WIDTHS = ['60%', '80%', '45%', '70%', '55%']

/** The width of the name in a row of a table: names differ in length. */
export const nameWidth = (row: number) => NAME_WIDTHS[row % NAME_WIDTHS.length] ?? '60%'

/** A panel with a title and some lines. */
export function PanelBones({ lines, title = 140 }: { lines: number; title?: number | string }) {
  return (
    <Stack className="app-panel" p="lg" gap="md">
      <Bone width={title} height={20} />
      {countTo(lines).map((i) => (
        <Group key={i} gap="md" wrap="nowrap">
          <Bone width={96} />
          <Bone width={`${70 - ((i * 17) % 40)}%`} />
        </Group>
      ))}
    </Stack>
  )
}

/** Panels, each with its number of lines. No number twice: it is the key. */
export function LoadingPanels({ label, lines }: { label: string; lines: number[] }) {
  return (
    <Loading label={label}>
      <Stack gap="lg">
        {lines.map((count) => (
          <PanelBones key={count} lines={count} />
        ))}
      </Stack>
    </Loading>
  )
}

/** A page whose code is loading: nothing is known about it yet. */
export function PageBones() {
  return (
    <Loading label="Loading the page">
      <Stack gap="lg">
        <Stack gap="xs">
          <Bone width={200} height={30} />
          <Bone width={280} />
        </Stack>
        <PanelBones lines={5} />
      </Stack>
    </Loading>
  )
}
