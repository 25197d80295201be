/** Above the agenda: which time, which view, which location. */
import { Button, Group, NativeSelect, SegmentedControl, Select, Title } from '@mantine/core'
import { movePeriod } from '../../../src/core/schedule/agenda.ts'
import type { Period } from '../../../src/core/schedule/agenda.ts'
import type { PlacesAnswer } from '../../../src/console/events.ts'
import { isPart, useChoiceSearch } from '../records/choice-search.ts'
import { LeftIcon, RightIcon } from '../ui/icons.tsx'
import { currentPeriod, inView, usePlaces } from './agenda.ts'
import type { AgendaPlace } from './agenda.ts'
import { periodTitle } from './calendar.ts'

export function AgendaBar({ period, locationId, goTo, chooseLocation }: AgendaPlace) {
  const { view } = period
  const now = currentPeriod(view)
  return (
    <Group justify="space-between" gap="sm" mb="md" className="agenda-bar">
      <Group gap="sm" className="agenda-turn">
        <Button.Group>
          <Turn by={-1} period={period} label={`Previous ${view}`} goTo={goTo}>
            <LeftIcon />
          </Turn>
          <Button
            variant="default"
            onClick={() => goTo((current) => currentPeriod(current.view))}
            aria-current={now.first === period.first ? 'date' : undefined}
          >
            Today
          </Button>
          <Turn by={1} period={period} label={`Next ${view}`} goTo={goTo}>
            <RightIcon />
          </Turn>
        </Button.Group>
        <Title order={2} aria-live="polite" className="agenda-title">
          {periodTitle(period)}
        </Title>
      </Group>
      <Group gap="sm" className="agenda-choices">
        <LocationChoice locationId={locationId} chooseLocation={chooseLocation} />
        <SegmentedControl
          aria-label="View"
          value={view}
          onChange={(chosen) => goTo((current) => inView(chosen, current))}
          data={[
            { value: 'week', label: 'Week' },
            { value: 'month', label: 'Month' },
          ]}
        />
      </Group>
    </Group>
  )
}

interface TurnProps {
  by: -1 | 1
  period: Period
  label: string
  goTo: AgendaPlace['goTo']
  children: React.ReactNode
}

function Turn({ by, period, label, goTo, children }: TurnProps) {
  return (
    <Button
      variant="default"
      px="xs"
      aria-label={label}
      title={`${label}: ${periodTitle(movePeriod(period, by))}`}
      onClick={() => goTo((current) => movePeriod(current, by))}
    >
      {children}
    </Button>
  )
}

type LocationChoiceProps = Pick<AgendaPlace, 'locationId' | 'chooseLocation'>

function LocationChoice(props: LocationChoiceProps) {
  const { locationId, chooseLocation } = props
  const { data } = usePlaces()
  const places = data?.places ?? []
  if (isPart(places)) return <LocationSearch {...props} places={places} />
  // One that a link names and the company does not have: it stays to be seen, and so can be taken away.
  const isUnknown = locationId !== null && !places.some(({ id }) => id === locationId)
  return (
    <NativeSelect
      aria-label="Location"
      value={locationId ?? ''}
      onChange={({ currentTarget }) =>
        chooseLocation(currentTarget.value === '' ? null : currentTarget.value)
      }
    >
      <option value="">All locations</option>
      {isUnknown ? <option value={locationId}>{data === undefined ? '…' : 'Unknown location'}</option> : null}
      {places.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </NativeSelect>
  )
}

/** For companies with more locations than the page loads. */
function LocationSearch({
  places,
  locationId,
  chooseLocation,
}: LocationChoiceProps & Pick<PlacesAnswer, 'places'>) {
  const { choices, field } = useChoiceSearch({
    path: 'locations',
    loaded: places,
    value: locationId,
    withArchived: true,
  })
  return (
    <Select
      {...field}
      aria-label="Location"
      placeholder="All locations"
      data={choices.map(({ id, name }) => ({ value: id, label: name }))}
      value={locationId}
      onChange={chooseLocation}
      clearable
      clearButtonProps={{ 'aria-label': 'Show all locations' }}
    />
  )
}
