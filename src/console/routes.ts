/** Every call of the application, beside signing in and out. */
import { accountRoutes } from './account.ts'
import { activityRoutes } from './activity.ts'
import { companyRoutes } from './company.ts'
import { contactRoutes } from './contacts.ts'
import { dashboardRoutes } from './dashboard.ts'
import { equipmentRoutes } from './equipment.ts'
import { eventRoutes } from './events.ts'
import { mailRoutes } from './mails.ts'
import { formRoutes } from './forms.ts'
import { peopleRoutes } from './people.ts'
import { quoteEditRoutes } from './quote-edit.ts'
import { quoteMailRoutes } from './quote-mails.ts'
import { quoteNewRoutes } from './quote-new.ts'
import { quoteRevisionRoutes } from './quote-revisions.ts'
import { quoteRoutes } from './quotes.ts'
import { importRoutes } from './record-import.ts'
import { recordRoutes } from './records.ts'
import { requestLogRoutes } from './request-log.ts'
import { settingsRoutes } from './settings.ts'
import { taskRoutes } from './tasks.ts'
import { webhookDeliveryRoutes } from './webhook-deliveries.ts'
import { webhookRoutes } from './webhooks.ts'
import type { ConsoleRoute } from './route.ts'

export const CONSOLE_ROUTES: readonly ConsoleRoute[] = [
  ...accountRoutes,
  ...activityRoutes,
  ...companyRoutes,
  ...contactRoutes,
  ...dashboardRoutes,
  ...equipmentRoutes,
  ...eventRoutes,
  ...mailRoutes,
  ...formRoutes,
  ...peopleRoutes,
  ...quoteEditRoutes,
  ...quoteMailRoutes,
  ...quoteRevisionRoutes,
  ...quoteNewRoutes,
  ...quoteRoutes,
  ...importRoutes,
  ...recordRoutes,
  ...requestLogRoutes,
  ...settingsRoutes,
  ...taskRoutes,
  ...webhookDeliveryRoutes,
  ...webhookRoutes,
]
