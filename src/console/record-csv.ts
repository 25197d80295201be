/** A list of records as CSV: the columns of the form, then the times. */
import { BYTE_ORDER_MARK, csvRow } from '../core/csv.ts'
import { decimalAmount } from '../core/pricing/currencies.ts'
import type { ColumnType } from '../codec/column.ts'
import type { RecordKind, StoredRecord } from '../records/kind.ts'

interface CsvColumn {
  header: string
  textOf: (record: StoredRecord) => string
}

interface Price {
  currency: string
  unitPriceCents: number
}

/** `currencies` are those of all prices: each has a column, as an import reads it. */
export async function* csvTexts(
  kind: RecordKind,
  currencies: readonly string[],
  pages: AsyncIterable<readonly StoredRecord[]>,
): AsyncGenerator<string> {
  const columns = csvColumns(kind, currencies)
  yield BYTE_ORDER_MARK + csvRow(columns.map(({ header }) => header))
  for await (const records of pages) {
    yield records.map((record) => csvRow(columns.map(({ textOf }) => textOf(record)))).join('')
  }
}

function csvColumns({ recordType: { columns }, editable, shown }: RecordKind, currencies: readonly string[]) {
  const own = editable.flatMap((name): CsvColumn[] =>
    name === 'prices'
      ? currencies.map(priceColumn)
      : [{ header: headerOf(name), textOf: (record) => valueText(columns[name]?.facts.type, name, record) }],
  )
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

/** An amount is in the currency of its record. A deposit has none, and stays in minor units. */
function valueText(type: ColumnType | undefined, name: string, record: StoredRecord): string {
  const { [name]: value, currency } = record
  if (type === 'money' && typeof value === 'number' && typeof currency === 'string')
    return decimalAmount(value, currency)
  return plainText(value)
}

function plainText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
