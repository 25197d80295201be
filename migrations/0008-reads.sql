-- The reads of events, bookings, invoices, form responses, staff and the catalog.

-- No event may change between the backfill and the commit. Readers do not wait.
LOCK TABLE events IN SHARE ROW EXCLUSIVE MODE;

-- The staff members and resources of each event, with the time for which it keeps them busy, if it is not canceled. Derived from
-- events (src/records/event/assignments.ts, docs/adr/0017).
CREATE TABLE event_assignments (
  company_id text COLLATE "C" NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL CHECK (kind IN ('staff', 'resource')),
  assignee_id text COLLATE "C" NOT NULL,
  event_created_at timestamptz(3) NOT NULL,
  -- Null if the end is not after the start.
  busy_from timestamptz(3),
  busy_to timestamptz(3),
  PRIMARY KEY (company_id, event_id, kind, assignee_id)
);
INSERT INTO event_assignments
SELECT e.company_id, e.id, x.kind, x.assignee_id, e.created_at, b.busy_from, b.busy_to
FROM events e
CROSS JOIN LATERAL (
  SELECT 'staff', unnest(e.staff_ids) UNION ALL SELECT 'resource', unnest(e.resource_ids)
) x (kind, assignee_id)
LEFT JOIN LATERAL (
  SELECT coalesce(e.shift_start_time, e.service_start_time), coalesce(e.shift_end_time, e.service_end_time)
) b (busy_from, busy_to) ON b.busy_to > b.busy_from
ORDER BY 1, 2, 3, 4;
-- The events of an assignee in the order of lists, and those that overlap a time.
CREATE INDEX event_assignments_by_creation ON event_assignments
  (company_id, kind, assignee_id, event_created_at DESC, event_id DESC);
CREATE INDEX event_assignments_by_time ON event_assignments (company_id, kind, assignee_id, busy_to, busy_from)
  WHERE busy_to IS NOT NULL;

-- Locations and event types can be archived like services and add-ons.
ALTER TABLE locations ADD COLUMN archived_at timestamptz(3);
ALTER TABLE event_types ADD COLUMN archived_at timestamptz(3);

-- Lists: newest first, and by each filter.
CREATE INDEX events_by_creation ON events (company_id, created_at DESC, id DESC);
CREATE INDEX events_by_location ON events (company_id, location_id, created_at DESC, id DESC);
CREATE INDEX events_of_booking ON events (company_id, booking_id, created_at DESC, id DESC);
CREATE INDEX events_by_update ON events (company_id, updated_at);

-- With the id, and with the columns that the dashboard reads as before.
DROP INDEX bookings_by_creation;
CREATE INDEX bookings_by_creation ON bookings (company_id, created_at DESC, id DESC)
  INCLUDE (currency, total_price_cents, canceled_at);
CREATE INDEX bookings_by_lead ON bookings (company_id, lead_id, created_at DESC, id DESC);
CREATE INDEX bookings_by_quote ON bookings (company_id, quote_id, created_at DESC, id DESC);
CREATE INDEX bookings_by_event_type ON bookings (company_id, event_type_id, created_at DESC, id DESC);
CREATE INDEX bookings_by_update ON bookings (company_id, updated_at);

CREATE INDEX invoices_by_creation ON invoices (company_id, created_at DESC, id DESC);
CREATE INDEX invoices_by_lead ON invoices (company_id, lead_id, created_at DESC, id DESC);
CREATE INDEX invoices_by_update ON invoices (company_id, updated_at);
CREATE INDEX invoices_by_due_date ON invoices (company_id, due_date);
-- The status of an invoice apart from being overdue, which depends on the time of the request.
CREATE FUNCTION invoice_state(voided_at timestamptz, issued_at timestamptz, total_cents bigint, amount_paid_cents bigint)
RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE
  WHEN voided_at IS NOT NULL THEN 'Void'
  WHEN issued_at IS NULL THEN 'Draft'
  WHEN amount_paid_cents >= total_cents THEN 'Paid'
  WHEN amount_paid_cents > 0 THEN 'PartiallyPaid'
  ELSE 'Open'
END;
CREATE INDEX invoices_by_state ON invoices
  (company_id, invoice_state(voided_at, issued_at, total_cents, amount_paid_cents), created_at DESC, id DESC);
-- Unpaid invoices: in the order of the list, and by due date within a state. (invoices_due has them by due date alone.)
CREATE INDEX invoices_unpaid ON invoices (company_id, created_at DESC, id DESC)
  WHERE voided_at IS NULL AND issued_at IS NOT NULL AND amount_paid_cents < total_cents;
CREATE INDEX invoices_unpaid_by_state ON invoices
  (company_id, invoice_state(voided_at, issued_at, total_cents, amount_paid_cents), coalesce(due_date, 'infinity'))
  WHERE voided_at IS NULL AND issued_at IS NOT NULL AND amount_paid_cents < total_cents;

CREATE INDEX form_responses_by_creation ON form_responses (company_id, created_at DESC, id DESC);
CREATE INDEX form_responses_by_form ON form_responses (company_id, form_id, created_at DESC, id DESC);
CREATE INDEX form_responses_by_booking ON form_responses (company_id, booking_id, created_at DESC, id DESC);
CREATE INDEX form_responses_by_quote ON form_responses (company_id, quote_id, created_at DESC, id DESC);
CREATE INDEX form_responses_by_update ON form_responses (company_id, updated_at);

CREATE INDEX staff_by_creation ON staff (company_id, created_at DESC, id DESC);
CREATE INDEX staff_by_status ON staff (company_id, status, created_at DESC, id DESC);
CREATE INDEX services_by_creation ON services (company_id, created_at DESC, id DESC);
CREATE INDEX services_by_archival ON services (company_id, (archived_at IS NULL), created_at DESC, id DESC);
CREATE INDEX addons_by_creation ON addons (company_id, created_at DESC, id DESC);
CREATE INDEX addons_by_archival ON addons (company_id, (archived_at IS NULL), created_at DESC, id DESC);
CREATE INDEX locations_by_creation ON locations (company_id, created_at DESC, id DESC);
CREATE INDEX locations_by_archival ON locations (company_id, (archived_at IS NULL), created_at DESC, id DESC);
CREATE INDEX event_types_by_creation ON event_types (company_id, created_at DESC, id DESC);
CREATE INDEX event_types_by_archival ON event_types (company_id, (archived_at IS NULL), created_at DESC, id DESC);
