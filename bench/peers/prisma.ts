/** The peer with Prisma: its client without native engines, on the same driver. */
import { PrismaPg } from '@prisma/adapter-pg'
import { PrismaClient } from './dist/prisma/client.ts'
import type { Prisma } from './dist/prisma/client.ts'
import { quoteRows } from './rows.ts'
import type { Expansions, Page, Store } from './rows.ts'
import { serve } from './server.ts'

const adapter = new PrismaPg({ connectionString: process.env['DATABASE_URL'] ?? '' })
const prisma = new PrismaClient({ adapter })

const WITHOUT_KEYS = { omit: { companyId: true } } as const

/** The inputs of the total, and the requested relations. */
function relationsOf({
  lead,
  location,
  services,
  serviceDays,
  booking,
  events,
  invoices,
}: Expansions): Prisma.QuoteInclude {
  return {
    lineItems: {
      select: {
        id: true,
        kind: true,
        serviceId: true,
        addonId: true,
        discountId: true,
        priceCents: true,
        taxable: true,
        service: services ? WITHOUT_KEYS : { select: { id: true } },
        addon: { select: { id: true } },
        discount: WITHOUT_KEYS,
      },
      where: { deletedAt: null, selected: true },
    },
    discount: WITHOUT_KEYS,
    taxRate: WITHOUT_KEYS,
    ...(lead ? { lead: WITHOUT_KEYS } : {}),
    ...(location ? { location: WITHOUT_KEYS } : {}),
    ...(serviceDays
      ? { serviceDays: { ...WITHOUT_KEYS, orderBy: [{ serviceStartTime: 'asc' }, { id: 'asc' }] } }
      : {}),
    ...(booking
      ? {
          booking: {
            ...WITHOUT_KEYS,
            include: {
              ...(events ? { events: { orderBy: [{ serviceStartTime: 'asc' }, { id: 'asc' }] } } : {}),
              ...(invoices ? { invoices: { orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] } } : {}),
            },
          },
        }
      : {}),
  }
}

const QUOTE_COLUMNS = { companyId: true, deletedAt: true } as const

async function listQuotes(companyId: string, { limit, startingAfter }: Page, expansions: Expansions) {
  const cursor =
    startingAfter === undefined
      ? undefined
      : await prisma.quote.findUnique({
          select: { createdAt: true, id: true },
          where: { companyId_id: { companyId, id: startingAfter }, deletedAt: null },
        })
  if (cursor === null) return []
  const after =
    cursor === undefined
      ? {}
      : {
          // The first bound lets the index start at the cursor.
          createdAt: { lte: cursor.createdAt },
          NOT: { createdAt: cursor.createdAt, id: { gte: cursor.id } },
        }
  const rows = await prisma.quote.findMany({
    omit: QUOTE_COLUMNS,
    where: { companyId, deletedAt: null, ...after },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: limit + 1,
    include: relationsOf(expansions),
  })
  return quoteRows(rows)
}

const store: Store = {
  findHolder: async (keyHash) => {
    const found = await prisma.apiKey.findUnique({
      where: { keyHash },
      select: { companyId: true, revokedAt: true, company: { select: { plan: true, allowedIps: true } } },
    })
    return found === null
      ? null
      : { companyId: found.companyId, isRevoked: found.revokedAt !== null, ...found.company }
  },
  findQuote: async (companyId, id, expansions) => {
    const row = await prisma.quote.findUnique({
      omit: QUOTE_COLUMNS,
      where: { companyId_id: { companyId, id }, deletedAt: null },
      include: relationsOf(expansions),
    })
    return quoteRows(row === null ? [] : [row])[0] ?? null
  },
  listQuotes,
  loadCharges: (companyId, ids) =>
    prisma.serviceCharge.findMany({ ...WITHOUT_KEYS, where: { companyId, id: { in: ids } } }),
  loadStaff: (companyId, ids) =>
    prisma.staff.findMany({ ...WITHOUT_KEYS, where: { companyId, id: { in: ids } } }),
}

await serve(store)
