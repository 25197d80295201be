/** Placeholders for the editor: a panel of lines per day, the terms, and the price beside them. */
import { Group, Skeleton, Stack } from '@mantine/core'
import { Loading, TextBone } from '../loading.tsx'
import './quote-edit.css'
import './lines.css'

const PADDING = { base: 'md', sm: 'lg' }
const FIELD_HEIGHT = 36
/** Of a heading with buttons beside it. */
const HEAD_HEIGHT = 27

export function EditorSkeleton() {
  return (
    <Loading label="Loading quote">
      <div className="edit-layout">
        <Stack gap="md" miw={0}>
          <Stack className="app-panel" p={PADDING} gap="sm">
            <Group mih={HEAD_HEIGHT}>
              <TextBone width={64} fz="1.125rem" lh={1.35} />
            </Group>
            <div className="edit-event">
              <div>
                <TextBone width={52} />
                <Skeleton height={FIELD_HEIGHT} mt={3} />
              </div>
              <TextBone width="70%" />
            </div>
          </Stack>
          <DaySkeleton />
          <DaySkeleton />
          <Stack className="app-panel" p={PADDING}>
            <TextBone width={260} fz="1.125rem" lh={1.35} />
            <div className="edit-terms-grid">
              {['base fee', 'travel fee', 'discount', 'tax'].map((field) => (
                <div key={field}>
                  <TextBone width={84} />
                  <Skeleton height={FIELD_HEIGHT} />
                </div>
              ))}
            </div>
          </Stack>
        </Stack>
        <div className="app-panel edit-price">
          <div className="edit-price-steps">
            <TextBone width={60} fz="1.125rem" lh={1.35} />
            {[96, 120, 80, 140].map((width) => (
              <Group key={width} justify="space-between" wrap="nowrap">
                <TextBone width={width} />
                <TextBone width={72} />
              </Group>
            ))}
          </div>
          <Stack className="edit-price-foot" gap="md">
            <div className="edit-total">
              <TextBone width={48} fz="md" />
              <TextBone width={120} fz="1.375rem" />
            </div>
            <Group grow gap="sm">
              <Skeleton height={FIELD_HEIGHT} />
              <Skeleton height={FIELD_HEIGHT} />
            </Group>
          </Stack>
        </div>
      </div>
    </Loading>
  )
}

function DaySkeleton() {
  return (
    <Stack className="app-panel" p={PADDING} gap="sm">
      <Group justify="space-between" wrap="nowrap" mih={HEAD_HEIGHT}>
        <TextBone width={220} fz="1.125rem" lh={1.35} />
        <TextBone width={72} />
      </Group>
      <div className="edit-lines">
        {['first', 'second'].map((line) => (
          <div key={line} className="edit-line">
            <div>
              <TextBone width={150} fz="md" />
              <TextBone width={90} />
            </div>
            <div className="edit-figures">
              {['quantity', 'unit price', 'price'].map((field) => (
                <div key={field}>
                  <TextBone width={52} fz="xs" />
                  <Skeleton height={FIELD_HEIGHT} />
                </div>
              ))}
            </div>
            <div className="edit-terms">
              <TextBone width={180} />
            </div>
          </div>
        ))}
      </div>
      <Skeleton height={FIELD_HEIGHT} />
    </Stack>
  )
}
