/** A list of records as CSV: the columns of the form, then the times. */
import { BYTE_ORDER_MARK, csvRow } from '../core/csv.ts'
import { packageLineTexts } from '../core/package-lines.ts'
import type { NamedLine } from '../core/package-lines.ts'
import { decimalAmount } from '../core/pricing/currencies.ts'
import type { RecordKind, StoredRecord } from '../records/kind.ts'

interface CsvColumn {
  header: string
  textOf: (record: StoredRecord) => string
}

interface Price {
  currency: string
  unitPriceCents: number
}

interface CsvCurrencies {
  /** Of amounts whose records have none, such as deposits. */
  company: string
  /** Of all prices: each has a column, as an import reads it. */
  prices: readonly string[]
}

export async function* csvTexts(
  kind: RecordKind,
  currencies: CsvCurrencies,
  pages: AsyncIterable<readonly StoredRecord[]>,
): AsyncGenerator<string> {
  const columns = csvColumns(kind, currencies)
  yield BYTE_ORDER_MARK + csvRow(columns.map(({ header }) => header))
  for await (const records of pages) {
    yield records.map((record) => csvRow(columns.map(({ textOf }) => textOf(record)))).join('')
  }
}

function csvColumns({ recordType: { columns }, editable, shown }: RecordKind, currencies: CsvCurrencies) {
  const own = editable.flatMap((name): CsvColumn[] => {
    if (name === 'prices') return currencies.prices.map(priceColumn)
    if (name === 'lines') return [{ header: 'Lines', textOf: linesText }]
    const isMoney = columns[name]?.facts.type === 'money'
    const textOf = (record: StoredRecord) =>
      isMoney ? amountText(record, name, currencies.company) : plainText(record[name])
    return [{ header: headerOf(name), textOf }]
  })
  const texts = Object.keys(shown).filter((name) => shown[name]?.facts.type === 'text')
  const others = [...texts, 'createdAt', 'updatedAt', 'archivedAt']
  return [
    { header: 'ID', textOf: ({ id }: StoredRecord) => id },
    ...own,
    ...others.map((name) => ({
      header: headerOf(name),
      textOf: (record: StoredRecord) => plainText(record[name]),
    })),
  ]
}

const priceColumn = (currency: string): CsvColumn => ({
  header: `Price ${currency}`,
  textOf: (record) => {
    const price = (record['prices'] as Price[]).find((one) => one.currency === currency)
    return price === undefined ? '' : decimalAmount(price.unitPriceCents, currency)
  },
})

/** `streetAddress` is `Street address`. */
function headerOf(name: string): string {
  const words = name
    .replace(/(Cents|Id)$/, '')
    .replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace(/ at$/, '')
    .replace(/ url$/, ' URL')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function amountText(record: StoredRecord, name: string, companyCurrency: string): string {
  const { [name]: cents, currency } = record
  if (typeof cents !== 'number') return ''
  return decimalAmount(cents, typeof currency === 'string' ? currency : companyCurrency)
}

/** As the list shows them: `2 × Oat milk; Setup`. */
function linesText({ lines, items }: StoredRecord): string {
  return packageLineTexts(lines as NamedLine[], items as { id: string; name: string }[], String).join('; ')
}

function plainText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
