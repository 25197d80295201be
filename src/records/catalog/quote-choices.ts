/** The choices of the form of a new quote and of the editor, besides the catalog. */
import { leadName } from '../../core/lead-name.ts'
import type { ContactChoice, PackageLine, QuoteChoices } from '../../core/quotes/quote-choices.ts'
import type { QuoteContent } from '../../core/quotes/quote-edit.ts'
import { isStorableText } from '../../core/ids.ts'
import { defineFields, pick } from '../../codec/fields.ts'
import type { RowIn } from '../../codec/fields.ts'
import { listObjects, selectFields } from '../../codec/select.ts'
import { literal, sql } from '../../db/sql.ts'
import type { Db } from '../../db/statement.ts'
import { CONTRACT_COLUMNS } from '../contract/columns.ts'
import { EVENT_TYPE_COLUMNS } from '../event-type/columns.ts'
import { LEAD_COLUMNS } from '../lead/columns.ts'
import { LOCATION_COLUMNS } from '../location/columns.ts'
import { PACKAGE_COLUMNS } from '../package/columns.ts'
import { PACKAGE_ITEMS } from '../package/kind.ts'
import { PAYMENT_TERMS_COLUMNS } from '../payment-terms/columns.ts'
import { IS_ARCHIVED, listChoices, selectChoices } from './choices.ts'

const LOCATIONS = selectChoices(
  LOCATION_COLUMNS,
  defineFields({
    ...pick(LOCATION_COLUMNS, 'id', 'name', 'timeZone', 'streetAddress', 'city', 'state', 'zip'),
    ...IS_ARCHIVED,
  }),
)
const EVENT_TYPES = selectChoices(
  EVENT_TYPE_COLUMNS,
  defineFields({ ...pick(EVENT_TYPE_COLUMNS, 'id', 'name'), ...IS_ARCHIVED }),
)
const PAYMENT_TERMS = selectChoices(
  PAYMENT_TERMS_COLUMNS,
  defineFields({ ...pick(PAYMENT_TERMS_COLUMNS, 'id', 'name'), ...IS_ARCHIVED }),
)
const CONTRACTS = selectChoices(
  CONTRACT_COLUMNS,
  defineFields({ ...pick(CONTRACT_COLUMNS, 'id', 'name'), ...IS_ARCHIVED }),
)
const PACKAGES = selectChoices(
  PACKAGE_COLUMNS,
  defineFields({ ...pick(PACKAGE_COLUMNS, 'id', 'name', 'lines'), ...PACKAGE_ITEMS, ...IS_ARCHIVED }),
)

const CONTACT = defineFields(
  pick(LEAD_COLUMNS, 'id', 'firstName', 'lastName', 'companyName', 'email', 'phone'),
)
const CONTACTS = selectFields(CONTACT, {
  from: sql`leads t WHERE t.company_id = $1 AND t.id = ANY($2)`,
  orderBy: sql`t.id`,
})

const ids = (id: string | null | undefined) => (id == null ? [] : [id])

/** All that are not archived, and those that the quote refers to. */
export async function readQuoteChoices(
  db: Db,
  companyId: string,
  quote: Pick<QuoteContent, 'leadId' | 'locationId' | 'eventTypeId' | 'paymentTermsId' | 'contractId'> | null,
): Promise<QuoteChoices> {
  const packages = await listChoices(db, PACKAGES, companyId, [], 'all')
  return {
    locations: await listChoices(db, LOCATIONS, companyId, ids(quote?.locationId), 'all'),
    eventTypes: await listChoices(db, EVENT_TYPES, companyId, ids(quote?.eventTypeId), 'all'),
    paymentTerms: await listChoices(db, PAYMENT_TERMS, companyId, ids(quote?.paymentTermsId), 'all'),
    contracts: await listChoices(db, CONTRACTS, companyId, ids(quote?.contractId), 'all'),
    packages: packages.map((one) => ({ ...one, lines: one.lines.map(fullLine) })),
    contacts: (await listObjects(db, CONTACTS, [companyId, ids(quote?.leadId)])).map(presentContact),
  }
}

type StoredLine = RowIn<typeof PACKAGE_LINES>['lines'][number]
const PACKAGE_LINES = defineFields(pick(PACKAGE_COLUMNS, 'lines'))

/** Stored lines omit members that have their default. */
function fullLine(line: Partial<StoredLine> & Pick<StoredLine, 'kind'>): PackageLine {
  return {
    serviceId: null,
    addonId: null,
    description: null,
    quantity: 1,
    unitPriceCents: null,
    taxable: true,
    optional: false,
    selected: true,
    optionGroup: null,
    ...line,
  }
}

function presentContact({ id, email, phone, ...names }: RowIn<typeof CONTACT>): ContactChoice {
  return { id, name: leadName({ ...names, email }), email, phone }
}

const CONTACTS_MAX = 20
/** Words that many contacts have are not sorted completely. */
const CONTACTS_SORTED_MAX = 1_000

const SEARCH = selectFields(CONTACT, {
  from: sql`(
    SELECT * FROM leads
    WHERE company_id = $1 AND archived_at IS NULL AND search @@ search_query($1, $2)
    LIMIT ${literal(CONTACTS_SORTED_MAX)}) t`,
  orderBy: sql`t.name_order, t.id LIMIT ${literal(CONTACTS_MAX)}`,
})
const NEWEST = selectFields(CONTACT, {
  from: sql`(
    SELECT * FROM leads WHERE company_id = $1 AND (archived_at IS NULL) = true
    ORDER BY created_at DESC, id DESC LIMIT ${literal(CONTACTS_MAX)}) t`,
  orderBy: sql`t.created_at DESC, t.id DESC`,
})

/** Contacts with every word of the text at the beginning of a word, by name. Without a word, the newest ones. */
export async function searchContacts(db: Db, companyId: string, text: string): Promise<ContactChoice[]> {
  if (!isStorableText(text)) return []
  const rows = /[\p{L}\p{N}]/u.test(text)
    ? await listObjects(db, SEARCH, [companyId, text])
    : await listObjects(db, NEWEST, [companyId])
  return rows.map(presentContact)
}
