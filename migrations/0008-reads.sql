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
