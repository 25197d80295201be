/** The profile of a company: everything about it that its users edit, and its logo. */
import { createHash } from 'node:crypto'
import { identifier, join, sql } from '../../db/sql.ts'
import type { Sql } from '../../db/sql.ts'
import { queryRows, statement } from '../../db/statement.ts'
import type { Db } from '../../db/statement.ts'
import { text } from '../../codec/column-types.ts'
import { columnName } from '../../codec/column.ts'
import { defineFields, pick } from '../../codec/fields.ts'
import type { RowIn } from '../../codec/fields.ts'
import { queryObjects } from '../../codec/select.ts'
import { NEXT_UPDATE } from '../../codec/write.ts'
import { COMPANY_COLUMNS } from './columns.ts'

/** The SHA-256 of the logo of a company. */
export const logoHash = (t: Sql) => sql`encode(sha256(convert_to(${t}.logo, 'UTF8')), 'hex')`
const LOGO_HASH = logoHash(sql`t`)

const PROFILE = defineFields({
  ...pick(
    COMPANY_COLUMNS,
    'name',
    'legalName',
    'streetAddress',
    'city',
    'state',
    'zip',
    'country',
    'email',
    'phone',
    'taxNumber',
    'website',
    'accentColor',
    'currency',
    'timeZone',
    'locale',
    'defaultTaxRateId',
    'defaultPaymentTermsId',
    'defaultContractId',
    'defaultServiceChargeIds',
    'quoteValidDays',
    'quotePrefix',
    'nextQuoteNumber',
    'invoicePrefix',
    'nextInvoiceNumber',
    'footer',
    'howToPay',
  ),
  /** The SHA-256 of the logo, instead of its half a megabyte; null without one. */
  logoHash: text().nullable().sql(LOGO_HASH),
})

export type CompanyProfile = RowIn<typeof PROFILE>

const FIND = statement(sql`SELECT ${PROFILE.selectList} FROM companies t WHERE t.id = $1`)

export async function findProfile(db: Db, companyId: string): Promise<CompanyProfile | null> {
  return (await queryObjects(db, PROFILE, FIND, [companyId]))[0] ?? null
}

/** Changes with everything that people edit. The next numbers are not part of it: each new quote and invoice raises them. */
export function versionOf(profile: CompanyProfile): string {
  const edited = { ...profile, nextQuoteNumber: undefined, nextInvoiceNumber: undefined }
  return createHash('sha256').update(JSON.stringify(edited)).digest('hex')
}

/** Members that can be written: the logo itself instead of its hash. */
export type ProfileChanges = {
  [Name in Exclude<keyof CompanyProfile, 'logoHash'>]?: CompanyProfile[Name] | undefined
} & { logo?: string | null }

export async function updateProfile(db: Db, companyId: string, changes: ProfileChanges): Promise<void> {
  const assignments = Object.keys(COMPANY_COLUMNS.columns).flatMap((name) => {
    const value = Reflect.get(changes, name) as string | null | undefined
    return value === undefined ? [] : [sql`${identifier(columnName(name))} = ${value}`]
  })
  const update = sql`UPDATE companies SET ${join([...assignments, NEXT_UPDATE])} WHERE id = $1`
  await queryRows(db, statement(update), [companyId])
}

const FIND_LOGO = statement(sql`SELECT t.logo FROM companies t WHERE t.id = $1 AND ${LOGO_HASH} = $2`)

/** A data URL; null if the company has no logo, or another one. */
export async function findLogo(db: Db, companyId: string, hash: string): Promise<string | null> {
  return (await queryRows<{ logo: string }>(db, FIND_LOGO, [companyId, hash]))[0]?.logo ?? null
}
