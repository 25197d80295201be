/** The kinds of records, by the name in calls and pages. */
import type { StoredRecord } from '../../../src/console/records.ts'
import { leadName } from '../../../src/core/lead-name.ts'
import type { LeadNames } from '../../../src/core/lead-name.ts'
import { RECORD_PAGES } from '../../../src/core/record-kinds.ts'
import type { RecordPath } from '../../../src/core/record-kinds.ts'
import { CATALOG_VIEWS } from './catalog-views.ts'
import type { KindView, View } from './kind-view.ts'
import { PRICING_VIEWS } from './pricing-views.ts'
import { TEAM_VIEWS } from './team-views.ts'

const VIEWS: Record<RecordPath, View> = { ...TEAM_VIEWS, ...CATALOG_VIEWS, ...PRICING_VIEWS }

export const viewOf = (path: RecordPath): KindView => ({ path, ...VIEWS[path] })

/** What people call the record. */
export function recordName({ path }: KindView, record: StoredRecord): string {
  if (path === 'contacts') return leadName(record as unknown as LeadNames) || 'Unnamed contact'
  if (path === 'staff') return `${String(record['firstName'])} ${String(record['lastName'])}`
  return String(record['name'])
}

export const pageOf = (path: RecordPath, id: string) => `${RECORD_PAGES[path]}/${encodeURIComponent(id)}`
