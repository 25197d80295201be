/** The enumerated values of the records. The database checks the same values (migrations/). */

/** The plans of companies. api/access.ts says what each plan may call. */
export const PLANS = ['BASIC', 'PRO', 'PREMIUM', 'LEGACY_PRO'] as const
export type Plan = (typeof PLANS)[number]

/** Roles in the console. A member may do everything except change settings. */
export const ROLES = ['ADMIN', 'MEMBER'] as const
export type Role = (typeof ROLES)[number]

export const LOST_REASONS = ['PRICE', 'DATE_UNAVAILABLE', 'WENT_SILENT', 'CHOSE_COMPETITOR', 'OTHER'] as const
export type LostReason = (typeof LOST_REASONS)[number]

/** Whether a discount, charge or deposit is an amount or a percentage. */
export const VALUE_TYPES = ['PERCENT', 'AMOUNT'] as const
export type ValueType = (typeof VALUE_TYPES)[number]

export const LINE_KINDS = ['SERVICE', 'ADDON', 'CUSTOM'] as const
export type LineKind = (typeof LINE_KINDS)[number]

/** The unit that the price of a service or add-on is for. */
export const UNITS = ['EACH', 'HOUR', 'GUEST', 'DAY'] as const
export type Unit = (typeof UNITS)[number]

export const PAYMENT_SCHEDULES = ['DEPOSIT', 'FULL', 'CARD_ON_FILE', 'INVOICE_ONLY'] as const
export type PaymentSchedule = (typeof PAYMENT_SCHEDULES)[number]

export const RESOURCE_STATUSES = ['Active', 'Inactive'] as const

export const STAFF_STATUSES = ['active', 'inactive'] as const

/** A public form that asks for a quote, or a form for a customer with a booking. */
export const FORM_PURPOSES = ['QUOTE', 'BOOKING'] as const
export type FormPurpose = (typeof FORM_PURPOSES)[number]

export const QUESTION_TYPES = [
  'ADDRESS',
  'ADDONS',
  'TEXT',
  'MULTISELECT',
  'MULTICHOICE',
  'DROPDOWN',
  'DATE',
  'TIME',
  'NUMBER',
  'YESNO',
  'DISPLAYTEXT',
  'ACKNOWLEDGEMENTS',
  'RESOURCE',
  'STAFFING_CALCULATOR',
] as const
export type QuestionType = (typeof QUESTION_TYPES)[number]
