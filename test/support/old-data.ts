/**
 * Rows for every table of every schema since the first one, so that tests of upgrades notice lost rows in every table. A
 * migration that creates a table needs an entry here: system/processes/upgrade-killed.test.ts fails while a table is empty.
 */

interface Planted {
  /** The migration that creates the table, or the column that the statement fills. */
  since: string
  table: string
  /** Must fit this schema and every later one. */
  sql: string
}

/** A different hash for each company */
const hash = (of: string) => `encode(sha256(convert_to(c.id || ${of}, 'UTF8')), 'hex')`

const CATALOG: Planted[] = [
  {
    since: '0001',
    table: 'companies',
    sql: `INSERT INTO companies (id, name, plan, currency, allowed_ips)
      VALUES ('c', 'C', 'PREMIUM', 'USD', '{10.0.0.0/8}'), ('d', 'D', 'PRO', 'EUR', '{}')`,
  },
  {
    since: '0001',
    table: 'api_keys',
    sql: `INSERT INTO api_keys (company_id, id, name, key_hash) SELECT c.id, 'key', 'Website', ${hash(`'key'`)} FROM companies c`,
  },
  {
    since: '0001',
    table: 'leads',
    sql: `INSERT INTO leads (company_id, id, first_name, email) SELECT c.id, 'lead' || n, 'Ada', 'ada' || n || '@example.com'
      FROM companies c, generate_series(0, 4) n`,
  },
  {
    since: '0001',
    table: 'locations',
    sql: `INSERT INTO locations (company_id, id, name, time_zone) SELECT id, 'loc', 'Pier 4', 'America/New_York' FROM companies`,
  },
  {
    since: '0001',
    table: 'event_types',
    sql: `INSERT INTO event_types (company_id, id, name) SELECT id, 'wedding', 'Wedding' FROM companies`,
  },
  {
    since: '0001',
    table: 'services',
    sql: `INSERT INTO services (company_id, id, name) SELECT id, 'bar', 'Bar' FROM companies`,
  },
  {
    since: '0001',
    table: 'addons',
    sql: `INSERT INTO addons (company_id, id, name) SELECT id, 'ice', 'Ice' FROM companies`,
  },
  {
    since: '0001',
    table: 'discounts',
    sql: `INSERT INTO discounts (company_id, id, name, type, percent_off) SELECT id, 'tenth', 'Spring', 'PERCENT', 10
      FROM companies`,
  },
  {
    since: '0001',
    table: 'tax_rates',
    sql: `INSERT INTO tax_rates (company_id, id, name, rate) SELECT id, 'tax', 'Sales tax', 8.875 FROM companies`,
  },
  {
    since: '0001',
    table: 'payment_terms',
    sql: `INSERT INTO payment_terms (company_id, id, name, payment_schedule, deposit_type, deposit_percentage)
      SELECT id, 'half', 'Half now', 'DEPOSIT', 'PERCENT', 50 FROM companies`,
  },
  {
    since: '0001',
    table: 'service_charges',
    sql: `INSERT INTO service_charges (company_id, id, name, type, percentage)
      SELECT id, 'service', 'Service', 'PERCENT', 20 FROM companies`,
  },
  {
    since: '0001',
    table: 'contracts',
    sql: `INSERT INTO contracts (company_id, id, name, content) SELECT id, 'terms', 'Terms', 'The usual terms.' FROM companies`,
  },
  {
    since: '0001',
    table: 'resources',
    sql: `INSERT INTO resources (company_id, id, name, location_id) SELECT id, 'van', 'Van', 'loc' FROM companies`,
  },
  {
    since: '0001',
    table: 'staff',
    sql: `INSERT INTO staff (company_id, id, first_name, last_name, email)
      SELECT id, 'grace', 'Grace', 'Hopper', 'grace@example.com' FROM companies`,
  },
  {
    since: '0012',
    table: 'companies',
    sql: `UPDATE companies SET legal_name = name || ' Ltd', quote_prefix = 'Offer ', next_quote_number = 7`,
  },
  { since: '0012', table: 'leads', sql: `UPDATE leads SET notes = 'Prefers mail'` },
  {
    since: '0012',
    table: 'services',
    sql: `UPDATE services s SET unit = 'HOUR', prices = jsonb_build_array(jsonb_build_object(
      'currency', (SELECT currency FROM companies WHERE id = s.company_id), 'amountCents', 4500))`,
  },
  {
    since: '0012',
    table: 'packages',
    sql: `INSERT INTO packages (company_id, id, name, lines)
      SELECT id, 'evening', 'Evening', '[{"kind": "SERVICE", "serviceId": "bar", "quantity": "2"}]' FROM companies`,
  },
]

/** Quotes with every input of a total */
const quoteRows = (quotes: number): Planted[] => [
  {
    since: '0001',
    table: 'quotes',
    sql: `INSERT INTO quotes (company_id, id, lead_id, location_id, event_address, currency, base_fee_cents, travel_fee_cents,
        discount_id, tax_rate_id, service_charge_ids, created_at)
      SELECT c.id, 'q' || n, 'lead' || n % 5, 'loc', 'Quay ' || n, c.currency, n * 100, n,
        CASE n % 3 WHEN 0 THEN 'tenth' END, CASE n % 4 WHEN 0 THEN 'tax' END,
        CASE n % 5 WHEN 0 THEN '{service}' ELSE '{}' END::text[], now() - n * interval '1 hour'
      FROM companies c, generate_series(1, ${quotes}) n`,
  },
  {
    since: '0001',
    table: 'service_days',
    sql: `INSERT INTO service_days (company_id, id, quote_id, service_start_time, service_end_time)
      SELECT c.id, 'day' || n, 'q' || n, now() + n * interval '1 day', now() + n * interval '1 day' + interval '5 hours'
      FROM companies c, generate_series(1, ${quotes}) n`,
  },
  {
    since: '0001',
    table: 'line_items',
    sql: `INSERT INTO line_items (company_id, id, quote_id, kind, service_id, quantity, unit_price_cents, price_cents, discount_id)
      SELECT c.id, 'line' || n || '_' || m, 'q' || n, 'SERVICE', 'bar', m, n * 7, n * 7 * m, CASE m WHEN 2 THEN 'tenth' END
      FROM companies c, generate_series(1, ${quotes}) n, generate_series(1, 3) m`,
  },
  // Triggers fill them in the schemas 0003 to 0005, and the application in later ones.
  {
    since: '0006',
    table: 'quotes',
    sql: `UPDATE quotes q SET first_start_time = d.service_start_time, last_start_time = d.service_start_time
      FROM service_days d WHERE d.company_id = q.company_id AND d.quote_id = q.id`,
  },
  {
    since: '0006',
    table: 'quote_stretches',
    sql: `INSERT INTO quote_stretches (company_id, stretch, quote_created_at, quote_id)
      SELECT q.company_id, unnest(stretches_of(d.service_start_time)), q.created_at, q.id
      FROM quotes q JOIN service_days d ON d.company_id = q.company_id AND d.quote_id = q.id`,
  },
  { since: '0012', table: 'quotes', sql: `UPDATE quotes SET number = 'Offer ' || id WHERE id < 'q3'` },
  {
    since: '0012',
    table: 'line_items',
    sql: `UPDATE line_items SET optional = true, selected = false, option_group = 'Bar' WHERE id LIKE 'line%9_3'`,
  },
  {
    since: '0015',
    table: 'quote_revisions',
    sql: `INSERT INTO quote_revisions (company_id, id, quote_id, revision, content, sha256, sent_at)
      SELECT id, 'revision', 'q1', 1, '{"title":"Quote"}', encode(sha256('{"title":"Quote"}'), 'hex'), now() FROM companies`,
  },
  {
    since: '0015',
    table: 'acceptances',
    sql: `INSERT INTO acceptances (company_id, id, quote_revision_id, name, accepted_at, sha256)
      SELECT company_id, 'acceptance', id, 'Ada', now(), sha256 FROM quote_revisions`,
  },
  {
    since: '0015',
    table: 'quote_questions',
    sql: `INSERT INTO quote_questions (company_id, id, quote_id, revision, kind, text)
      SELECT id, 'question', 'q1', 1, 'QUESTION', 'Is ice included?' FROM companies`,
  },
]

const BOOKINGS: Planted[] = [
  {
    since: '0001',
    table: 'bookings',
    sql: `INSERT INTO bookings (company_id, id, quote_id, currency, total_price_cents)
      SELECT c.id, 'b' || n, 'q' || n, c.currency, n * 1000 FROM companies c, generate_series(1, 10) n`,
  },
  {
    since: '0001',
    table: 'events',
    sql: `INSERT INTO events (company_id, id, booking_id, service_start_time, service_end_time, staff_ids, resource_ids)
      SELECT c.id, 'e' || n, 'b' || n, now(), now() + interval '5 hours',
        CASE n WHEN 1 THEN '{grace}' ELSE '{}' END::text[], CASE n WHEN 1 THEN '{van}' ELSE '{}' END::text[]
      FROM companies c, generate_series(1, 10) n`,
  },
  {
    since: '0001',
    table: 'tasks',
    sql: `INSERT INTO tasks (company_id, id, event_id, description)
      SELECT c.id, 't' || n, 'e' || n, 'Load the van' FROM companies c, generate_series(1, 10) n`,
  },
  {
    since: '0001',
    table: 'invoices',
    sql: `INSERT INTO invoices (company_id, id, booking_id, invoice_number, currency, total_cents, issued_at, due_date)
      SELECT c.id, 'i' || n, 'b' || n, 'INV-' || n, c.currency, n * 1000, now(), now() + interval '30 days'
      FROM companies c, generate_series(1, 10) n`,
  },
  {
    since: '0008',
    table: 'event_assignments',
    sql: `INSERT INTO event_assignments (company_id, event_id, kind, assignee_id, event_created_at, busy_from, busy_to)
      SELECT e.company_id, e.id, a.kind, a.id, e.created_at, e.service_start_time, e.service_end_time
      FROM events e, (VALUES ('staff', 'grace'), ('resource', 'van')) a (kind, id) WHERE e.id = 'e1'`,
  },
  {
    since: '0010',
    table: 'payments',
    sql: `INSERT INTO payments (company_id, id, invoice_id, amount_cents, received_at)
      SELECT c.id, 'p' || n, 'i' || n, n * 100, now() FROM companies c, generate_series(1, 3) n`,
  },
  {
    since: '0010',
    table: 'invoices',
    sql: `UPDATE invoices i SET payments_cents = p.amount_cents
      FROM payments p WHERE p.company_id = i.company_id AND p.invoice_id = i.id`,
  },
  {
    since: '0015',
    table: 'bookings',
    sql: `UPDATE bookings SET accepted_revision_id = 'revision' WHERE id = 'b1'`,
  },
  { since: '0018', table: 'invoices', sql: `UPDATE invoices SET tax_cents = 80 WHERE id = 'i1'` },
]

const FORMS: Planted[] = [
  {
    since: '0001',
    table: 'forms',
    sql: `INSERT INTO forms (company_id, id, name) SELECT id, 'form', 'Details' FROM companies`,
  },
  {
    since: '0001',
    table: 'form_questions',
    sql: `INSERT INTO form_questions (company_id, id, form_id, title, type, position)
      SELECT id, 'guests', 'form', 'How many guests?', 'NUMBER', 1 FROM companies`,
  },
  {
    since: '0001',
    table: 'form_responses',
    sql: `INSERT INTO form_responses (company_id, id, form_id, quote_id) SELECT id, 'response', 'form', 'q1' FROM companies`,
  },
  {
    since: '0001',
    table: 'form_answers',
    sql: `INSERT INTO form_answers (company_id, form_response_id, id, ordinal, question_id, response)
      SELECT id, 'response', 'answer', 1, 'guests', '80' FROM companies`,
  },
  {
    since: '0016',
    table: 'forms',
    sql: `UPDATE forms SET slug = 'details-' || company_id, purpose = 'QUOTE', published_at = now()`,
  },
  {
    since: '0016',
    table: 'form_limits',
    sql: `INSERT INTO form_limits (company_id, network_hash, submissions) SELECT c.id, ${hash(`'network'`)}, 3 FROM companies c`,
  },
]

const PEOPLE: Planted[] = [
  {
    since: '0004',
    table: 'users',
    sql: `INSERT INTO users (company_id, id, email, name, role, password_hash)
      SELECT id, 'user', 'Grace@example.com', 'Grace', 'ADMIN', '$scrypt$ln=15,r=8,p=3$c2FsdA$aGFzaA' FROM companies`,
  },
  {
    since: '0004',
    table: 'sessions',
    sql: `INSERT INTO sessions (company_id, token_hash, user_id, expires_at)
      SELECT c.id, ${hash(`'session'`)}, 'user', now() + interval '1 day' FROM companies c`,
  },
  {
    since: '0004',
    table: 'sign_in_failures',
    sql: `INSERT INTO sign_in_failures (subject_hash, failures, last_at) SELECT ${hash(`'address'`)}, 2, now() FROM companies c`,
  },
  {
    since: '0013',
    table: 'setup_links',
    sql: `INSERT INTO setup_links (token_hash) SELECT ${hash(`'setup'`)} FROM companies c`,
  },
  {
    since: '0013',
    table: 'invitations',
    sql: `INSERT INTO invitations (company_id, id, email, role, token_hash, expires_at)
      SELECT c.id, 'invitation', 'alan@example.com', 'MEMBER', ${hash(`'invitation'`)}, now() + interval '1 day' FROM companies c`,
  },
  {
    since: '0013',
    table: 'password_resets',
    sql: `INSERT INTO password_resets (company_id, user_id, token_hash, expires_at)
      SELECT c.id, 'user', ${hash(`'reset'`)}, now() + interval '1 hour' FROM companies c`,
  },
]

const LOGS: Planted[] = [
  {
    since: '0002',
    table: 'idempotency_records',
    sql: `INSERT INTO idempotency_records (company_id, key, body_hash, answer)
      SELECT c.id, 'once', ${hash(`'body'`)}, '{"status": 201}' FROM companies c`,
  },
  {
    since: '0004',
    table: 'api_key_uses',
    sql: `INSERT INTO api_key_uses (company_id, key_id, last_used_at) SELECT id, 'key', now() FROM companies`,
  },
  {
    since: '0004',
    table: 'request_log',
    sql: `INSERT INTO request_log (company_id, id, at, key_id, method, path, status, duration_us, request_id)
      SELECT id, 'request', now(), 'key', 'GET', '/api/quotes', 200, 1500, 'r1' FROM companies`,
  },
  {
    since: '0007',
    table: 'change_counters',
    sql: `INSERT INTO change_counters (company_id, last_sequence, last_at) SELECT id, 3, now() FROM companies`,
  },
  {
    since: '0007',
    table: 'changes',
    sql: `INSERT INTO changes (company_id, sequence, type, subject_object, subject_id, actor_type, data, previous, created_at)
      SELECT c.id, n, 'task.updated', 'task', 't' || n, 'system', '{"description": "Load the van"}', '{}', now()
      FROM companies c, generate_series(1, 3) n`,
  },
  {
    since: '0009',
    table: 'webhook_endpoints',
    sql: `INSERT INTO webhook_endpoints (company_id, id, url, types, secrets)
      SELECT id, 'endpoint', 'https://hooks.example.com', '{}', '[{"sealed": "sealed", "until": null}]' FROM companies`,
  },
  {
    since: '0009',
    table: 'webhook_deliveries',
    sql: `INSERT INTO webhook_deliveries (company_id, number, endpoint_id, change_sequence, subject, status, next_attempt_at)
      SELECT c.id, n, 'endpoint', n, 'task t' || n, 'delivered', NULL FROM companies c, generate_series(1, 3) n`,
  },
  {
    since: '0009',
    table: 'change_counters',
    sql: `UPDATE change_counters SET has_webhooks = true, last_delivery = 3`,
  },
  {
    since: '0011',
    table: 'audit_entries',
    sql: `INSERT INTO audit_entries (company_id, id, type, actor_type, subject_object, subject_id, details)
      SELECT id, 'entry', 'key.created', 'system', 'apiKey', 'key', '{}' FROM companies`,
  },
  {
    since: '0017',
    table: 'mails',
    sql: `INSERT INTO mails (company_id, id, kind, to_address, subject)
      SELECT id, 'mail', 'passwordReset', 'grace@example.com', 'Your password' FROM companies`,
  },
  {
    since: '0017',
    table: 'mail_secrets',
    sql: `INSERT INTO mail_secrets (company_id, mail_id, sealed, expires_at)
      SELECT id, 'mail', 'sealed', now() + interval '1 hour' FROM companies`,
  },
]

/** Two companies, each with this many quotes (at least 10), in a database with these migrations. */
export function oldData(migrations: readonly string[], quotes: number): string {
  const last = migrations.at(-1)?.slice(0, 4) ?? ''
  return [...CATALOG, ...quoteRows(quotes), ...BOOKINGS, ...FORMS, ...PEOPLE, ...LOGS]
    .filter(({ since }) => since <= last)
    .map(({ sql }) => `${sql};`)
    .join('\n')
}
