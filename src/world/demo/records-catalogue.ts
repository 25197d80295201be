import type {
  PaymentSchedule,
  Plan,
  QuestionType,
  ResourceStatus,
  Role,
  StaffStatus,
  ValueType,
} from '../../core/enumerations.ts'

/** The records of the world format, one interface a kind: the company and what its quotes refer to. */

export interface Dated {
  createdAt: string
  updatedAt: string
}

export interface Owned extends Dated {
  id: string
  companyId: string
}

interface Archivable {
  archivedAt?: string
}

interface Company extends Dated {
  object: 'company'
  id: string
  name: string
  plan: Plan
  currency: string
  allowedIps?: readonly string[]
}

interface ApiKey extends Owned {
  object: 'apiKey'
  name: string
  key: string
  revokedAt?: string
}

interface User extends Owned {
  object: 'user'
  email: string
  name: string
  role: Role
  passwordHash: string
}

interface Location extends Owned {
  object: 'location'
  name: string
  streetAddress?: string
  city?: string
  state?: string
  zip?: string
  timeZone: string
}

interface EventType extends Owned {
  object: 'eventType'
  name: string
}

interface Item extends Owned, Archivable {
  name: string
  description?: string
  imageUrl?: string
}

interface Service extends Item {
  object: 'service'
}

interface Addon extends Item {
  object: 'addon'
}

interface Discount extends Owned, Archivable {
  object: 'discount'
  name: string
  type: ValueType
  percentOff?: number
  amountOff?: number
  currency?: string
}

interface TaxRate extends Owned, Archivable {
  object: 'taxRate'
  name: string
  rate: number
}

interface PaymentTerms extends Owned, Archivable {
  object: 'paymentTerms'
  name: string
  paymentSchedule: PaymentSchedule
  depositType?: ValueType
  depositPercentage?: number
  depositAmountCents?: number
  invoiceDueDays?: number
}

interface ServiceCharge extends Owned, Archivable {
  object: 'serviceCharge'
  name: string
  type: ValueType
  percentage?: number
  amountCents?: number
  currency?: string
  taxable: boolean
}

interface Contract extends Owned, Archivable {
  object: 'contract'
  name: string
  description?: string
  content: string
}

interface Resource extends Owned {
  object: 'resource'
  name: string
  description?: string
  imageUrl?: string
  category?: string
  status: ResourceStatus
  locationId: string
}

interface Staff extends Owned {
  object: 'staff'
  firstName: string
  lastName: string
  email: string
  phone?: string
  role?: string
  status: StaffStatus
}

interface Form extends Owned {
  object: 'form'
  name: string
}

interface FormQuestion extends Owned {
  object: 'formQuestion'
  formId: string
  title: string
  type: QuestionType
  subtitle?: string
  position: number
  systemRequired: boolean
  userRequired: boolean
  linkedSystemField?: string
}

export type CatalogueRecord =
  | Company
  | ApiKey
  | User
  | Location
  | EventType
  | Service
  | Addon
  | Discount
  | TaxRate
  | PaymentTerms
  | ServiceCharge
  | Contract
  | Resource
  | Staff
  | Form
  | FormQuestion
