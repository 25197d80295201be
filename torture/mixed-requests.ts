/** Complete requests of several kinds. */
import { requestOf } from './service.ts'

const TASK = JSON.stringify({ eventId: 'event_0246_1', description: 'Load the van' })

export const MIXED_REQUESTS = [
  requestOf('/api/quotes/quote_0246'),
  requestOf('/api/quotes/quote_0246?expand[]=lead,booking.events.staff'),
  requestOf('/api/quotes?limit=10'),
  requestOf('/api/quotes?limit=10&expand[]=data.lead,data.services,data.booking.events.staff'),
  requestOf('/api/quotes?limit=100&expand[]=data.lead,data.booking.invoices'),
  requestOf('/api/quotes?limit=25&starting_after=quote_0200&created_at[gte]=2020-01-01T00:00:00Z'),
  requestOf('/api/resources?limit=50'),
  requestOf('/api/invoice/book_0246'),
  requestOf('/api/task/create').replace('GET', 'POST').trimEnd() +
    `\r\ncontent-type: application/json\r\ncontent-length: ${TASK.length}\r\n\r\n${TASK}`,
]
