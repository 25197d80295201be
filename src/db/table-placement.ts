/**
 * Where Citus stores the rows of each table (docs/citus.md). test/citus-rules.test.ts compares it with the schema, so a new table
 * needs a line here.
 */
export type Placement =
  /** The records of companies, by company_id: all of one company are on the same worker. */
  | 'distributed'
  /**
   * On the coordinator: accounts and forms, which requests find without a company; queues and logs, which background work reads for
   * all companies. They can be used while a worker is lost.
   */
  | 'local'

export const PLACEMENTS: Readonly<Record<string, Placement>> = {
  acceptances: 'distributed',
  addons: 'distributed',
  api_key_uses: 'local',
  api_keys: 'local',
  audit_entries: 'local',
  bookings: 'distributed',
  change_counters: 'local',
  changes: 'local',
  companies: 'local',
  contracts: 'distributed',
  discounts: 'distributed',
  event_assignments: 'distributed',
  event_types: 'distributed',
  events: 'distributed',
  form_answers: 'local',
  form_limits: 'local',
  form_questions: 'local',
  form_responses: 'local',
  forms: 'local',
  idempotency_records: 'local',
  invitations: 'local',
  invoices: 'distributed',
  leads: 'distributed',
  line_items: 'distributed',
  locations: 'distributed',
  mail_secrets: 'local',
  mails: 'local',
  packages: 'distributed',
  password_resets: 'local',
  payment_terms: 'distributed',
  payments: 'distributed',
  quote_questions: 'distributed',
  quote_revisions: 'distributed',
  quote_stretches: 'distributed',
  quotes: 'distributed',
  request_log: 'local',
  resources: 'distributed',
  schema_migrations: 'local',
  service_charges: 'distributed',
  service_days: 'distributed',
  services: 'distributed',
  sessions: 'local',
  setup_links: 'local',
  sign_in_failures: 'local',
  staff: 'distributed',
  tasks: 'distributed',
  tax_rates: 'distributed',
  users: 'local',
  webhook_deliveries: 'local',
  webhook_endpoints: 'local',
}

/** Distributed first; every other distributed table is stored beside it. */
export const FIRST_DISTRIBUTED = 'quotes'
