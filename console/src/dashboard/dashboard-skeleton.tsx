/** Placeholders for the dashboard. Names that are always the same are there at once. */
import { Group, Skeleton, Stack, Text } from '@mantine/core'
import { countTo, Loading, TextBone } from '../loading.tsx'
import { Note } from '../ui/note.ts'
import { HEAD_HEIGHT } from './booked-panel.tsx'
import './dashboard.css'
import { STATES } from './state-tiles.tsx'

const MONTHS = [40, 62, 48, 75, 58, 84, 66, 92, 54, 78, 60, 36]
/** As many as the dashboard shows at most before a list is unfolded. */
const ROWS = 8

export function DashboardSkeleton() {
  return (
    <Loading label="Loading">
      <Stack gap="lg">
        <TilesSkeleton />
        <ChartSkeleton />
        <ListSkeleton title="Upcoming events" className="dashboard-upcoming" isOneLine />
        <div className="dashboard-lists">
          <ListSkeleton title="Overdue tasks" />
          <ListSkeleton title="Overdue invoices" />
        </div>
      </Stack>
    </Loading>
  )
}

function TilesSkeleton() {
  return (
    <div className="app-panel dashboard-states">
      <ul className="app-list">
        {STATES.map(({ state, label, meaning }) => (
          <li key={state}>
            <div className="dashboard-state">
              <span className="dashboard-state-name">{label}</span>
              <span className="dashboard-state-count">
                <Skeleton component="span" display="inline-block" height="0.7em" width="1.6em" />
              </span>
              <Note span className="dashboard-state-meaning">
                {meaning}
              </Note>
            </div>
          </li>
        ))}
      </ul>
    </div>
  )
}

function ChartSkeleton() {
  return (
    <Stack className="app-panel" p="lg" gap="sm">
      <Group align="flex-start" mih={HEAD_HEIGHT}>
        <PanelTitle>Booked value</PanelTitle>
      </Group>
      <div>
        <div className="dashboard-readout">
          <Skeleton component="span" display="inline-block" height="0.7em" width={200} maw="100%" />
        </div>
        <TextBone width={180} />
      </div>
      <div className="dashboard-chart dashboard-chart-skeleton">
        {MONTHS.map((height, month) => (
          // oxlint-disable-next-line react/no-array-index-key
          <Skeleton key={month} height={`${height}%`} radius="sm" />
        ))}
      </div>
    </Stack>
  )
}

function ListSkeleton({
  title,
  className = '',
  isOneLine = false,
}: {
  title: string
  className?: string
  isOneLine?: boolean
}) {
  return (
    <div className={`app-panel dashboard-list ${className}`}>
      <Group justify="space-between" px="lg" pt="md" pb="xs">
        <PanelTitle>{title}</PanelTitle>
        <TextBone width={isOneLine ? 64 : 24} />
      </Group>
      <ul className="app-list">
        {countTo(ROWS).map((row) => (
          <li key={row} className="dashboard-row">
            <TextBone width={row % 2 === 0 ? 200 : 160} fz="md" />
            <div className="dashboard-row-below">
              <TextBone width={row % 3 === 0 ? 120 : 170} />
            </div>
            {isOneLine ? (
              <div className="dashboard-row-below">
                <TextBone width={140} />
              </div>
            ) : null}
          </li>
        ))}
      </ul>
    </div>
  )
}

const PanelTitle = ({ children }: { children: string }) => (
  <Text fz="h2" fw={650} lh="var(--mantine-h2-line-height)">
    {children}
  </Text>
)
