/** Events: what takes place, where, with whom. */
import { isPossibleId } from '../../core/ids.ts'
import type { Db } from '../../db/connect.ts'
import { defineFields } from '../../codec/fields.ts'
import { loaderByOwner } from '../../codec/load.ts'
import type { Packed } from '../../codec/packed-row.ts'
import { findRow, selectFields } from '../../codec/select.ts'

export interface EventRow {
  id: string
  companyId: string
  bookingId: string | null
  locationId: string | null
  name: string | null
  clientName: string | null
  clientEmail: string | null
  clientPhone: string | null
  siteContactName: string | null
  siteContactPhone: string | null
  eventDescription: string | null
  eventAddress: string | null
  additionalLocationInfo: string | null
  specialNotes: string | null
  parkingLoadingInfo: string | null
  staffDressCode: string | null
  serviceStartTime: string
  serviceEndTime: string
  shiftStartTime: string | null
  shiftEndTime: string | null
  staffNumber: number
  resourceNumber: number
  guestCount: number | null
  multiDay: boolean
  outdoors: boolean
  tipJarAllowed: boolean
  serviceIds: string[]
  addonIds: string[]
  staffIds: string[]
  resourceIds: string[]
  createdAt: string
  updatedAt: string
}

export const EVENT_FIELDS = defineFields<EventRow>(`
    id companyId bookingId? locationId? name? clientName? clientEmail? clientPhone? siteContactName?
    siteContactPhone? eventDescription? eventAddress? additionalLocationInfo? specialNotes?
    parkingLoadingInfo? staffDressCode? serviceStartTime:time serviceEndTime:time
    shiftStartTime?:time shiftEndTime?:time staffNumber:number resourceNumber:number
    guestCount?:number multiDay:boolean outdoors:boolean tipJarAllowed:boolean serviceIds:list
    addonIds:list staffIds:list resourceIds:list createdAt:time updatedAt:time`)

export const loadEventsOfBookings = loaderByOwner<EventRow>(
  'events',
  EVENT_FIELDS,
  'booking_id',
  't.service_start_time, t.id',
)

const FIND_EVENT = selectFields(EVENT_FIELDS, {
  from: 'events t WHERE t.company_id = $1 AND t.id = $2',
  orderBy: 't.id',
})

export async function findEvent(db: Db, companyId: string, id: string): Promise<Packed<EventRow> | null> {
  if (!isPossibleId(id)) return null
  return findRow(db, FIND_EVENT, [companyId, id])
}
