/** The invoices of a booking: ids and the URLs that open them. */
import { z } from 'zod'
import { id } from '../../codec/schemas.ts'
import type { Presentation } from '../../codec/presentation.ts'

export const InvoiceReference = z
  .strictObject({
    bookingId: id('booking'),
    invoiceIds: z.array(z.string()).meta({ description: 'The invoices of the booking, oldest first.' }),
    invoiceUrls: z
      .array(z.string())
      .meta({ description: 'For each invoice, a URL that opens it without further authentication.' }),
  })
  .meta({ id: 'InvoiceReference' })

export function presentInvoiceReference(
  companyId: string,
  bookingId: string,
  invoiceIds: string[],
  { invoiceUrl }: Presentation,
): z.output<typeof InvoiceReference> {
  return {
    bookingId,
    invoiceIds,
    invoiceUrls: invoiceIds.map((invoiceId) => invoiceUrl(companyId, invoiceId)),
  }
}
