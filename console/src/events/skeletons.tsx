/** Skeletons of the agenda, an event and its checklist, in the shape of their content. */
import { Group, Stack } from '@mantine/core'
import { Bone, Loading, PanelBones, countTo } from '../loading.tsx'

const WEEK_DAYS = 7
const SHEET_WEEKS = 5

export function DayListBones() {
  return (
    <Loading label="Loading events">
      <div className="app-panel agenda-list">
        {countTo(WEEK_DAYS).map((day) => (
          <div key={day} className="agenda-day">
            <div className="agenda-date">
              <Bone width={110} height={18} />
            </div>
            <div className="agenda-event">
              <Bone width={120} />
              <Stack gap={8}>
                <Bone width={`${55 - ((day * 13) % 30)}%`} height={16} />
                <Bone width={`${38 - ((day * 7) % 15)}%`} height={12} />
              </Stack>
              <Bone width={64} height={18} radius="xl" />
            </div>
          </div>
        ))}
      </div>
    </Loading>
  )
}

export function MonthSheetBones() {
  return (
    <Loading label="Loading events">
      <table className="app-panel agenda-month" aria-hidden="true">
        <tbody>
          {countTo(SHEET_WEEKS).map((week) => (
            <tr key={week}>
              {countTo(WEEK_DAYS).map((day) => (
                <td key={day}>
                  <Stack gap={8}>
                    <Bone width={22} height={18} radius="xl" />
                    {(week + day) % 3 === 0 ? null : <Bone height={34} />}
                  </Stack>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Loading>
  )
}

export function EventBones() {
  return (
    <Loading label="Loading the event">
      <div className="event-page">
        <PanelBones lines={4} />
        <div className="event-column event-side">
          <PanelBones lines={4} />
          <PanelBones lines={3} />
        </div>
        <div className="event-column">
          <div className="event-pair">
            <PanelBones lines={3} />
            <PanelBones lines={3} />
          </div>
          <PanelBones lines={3} />
        </div>
      </div>
    </Loading>
  )
}

const TASKS = 4

export function ChecklistBones() {
  return (
    <Loading label="Loading the checklist">
      <Stack gap="md">
        <Bone height={36} />
        {countTo(TASKS).map((task) => (
          <Group key={task} gap="sm" wrap="nowrap">
            <Bone width={20} height={20} />
            <Bone width={`${75 - ((task * 19) % 40)}%`} />
          </Group>
        ))}
      </Stack>
    </Loading>
  )
}
