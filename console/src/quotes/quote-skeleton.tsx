/** Placeholders for the page of a quote, in the places of its panels. */
import { Group, Skeleton, Stack } from '@mantine/core'
import { countTo, Loading, TextBone } from '../loading.tsx'
import './quote-page.css'

export const SubtitleSkeleton = () => <TextBone width={280} />

export const ActionsSkeleton = () => (
  <>
    <Skeleton height={36} width={72} />
    <Skeleton height={36} width={88} />
    <Skeleton height={36} width={132} />
  </>
)

/** The widest of the summary, and the largest. */
const TOTAL = 150

export function QuoteSkeleton() {
  return (
    <Loading label="Loading quote">
      <div className="app-panel quote-summary">
        {[TOTAL, 110, 96, 92].map((width) => (
          <div key={width}>
            <TextBone width={56} fz="0.8125rem" />
            <TextBone width={width} {...(width === TOTAL ? { fz: '1.5rem', lh: 1.2 } : { fz: 'md' })} />
            <TextBone width={64} fz="0.8125rem" />
          </div>
        ))}
      </div>
      <div className="quote-page">
        <div className="quote-column">
          <LinesSkeleton />
          <FactsSkeleton rows={7} />
          <FactsSkeleton rows={3} />
        </div>
        <div className="quote-column">
          <ReceiptSkeleton />
          <FactsSkeleton rows={4} className="is-third" />
        </div>
      </div>
    </Loading>
  )
}

function LinesSkeleton() {
  return (
    <Stack className="app-panel is-second" p="lg" gap="lg">
      <TextBone width={150} fz="1.125rem" lh={1.35} />
      {countTo(2).map((day) => (
        <div key={day}>
          <Group justify="space-between">
            <TextBone width={220} fz="md" />
            <TextBone width={130} />
          </Group>
          <div className="quote-lines">
            {countTo(2).map((line) => (
              <Group
                key={line}
                justify="space-between"
                wrap="nowrap"
                py="0.55rem"
                className="quote-skeleton-line"
              >
                <div>
                  <TextBone width={170} />
                  <TextBone width={120} fz="xs" />
                </div>
                <TextBone width={80} />
              </Group>
            ))}
          </div>
        </div>
      ))}
    </Stack>
  )
}

function ReceiptSkeleton() {
  return (
    <Stack className="app-panel is-first" p="lg" gap="md">
      <TextBone width={140} fz="1.125rem" lh={1.35} />
      {countTo(6).map((row) => (
        <Group key={row} justify="space-between" wrap="nowrap">
          <TextBone width={row % 2 === 0 ? 130 : 180} />
          <TextBone width={84} />
        </Group>
      ))}
      <Group justify="space-between" wrap="nowrap">
        <TextBone width={70} fz="1.25rem" />
        <TextBone width={110} fz="1.25rem" />
      </Group>
    </Stack>
  )
}

function FactsSkeleton({ rows, className = '' }: { rows: number; className?: string }) {
  return (
    <Stack className={`app-panel ${className}`} p="lg" gap="sm">
      <TextBone width={90} fz="1.125rem" lh={1.35} />
      <div className="quote-facts">
        {countTo(rows).map((row) => (
          <div key={row}>
            <TextBone width={64} />
            <TextBone width={row % 2 === 0 ? 180 : 120} />
          </div>
        ))}
      </div>
    </Stack>
  )
}
