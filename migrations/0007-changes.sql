-- The change log: every write records what it changed, in the same transaction (docs/adr/0026).

ALTER TABLE events ADD COLUMN canceled_at timestamptz(3);

-- One row per company. A transaction locks it until it commits, so that the changes of a company are numbered without gaps, in
-- the order in which they become visible.
CREATE TABLE change_counters (
  company_id text COLLATE "C" PRIMARY KEY REFERENCES companies (id),
  last_sequence bigint NOT NULL DEFAULT 0,
  -- Times of changes never decrease, so a filter by time is a range of sequences.
  last_at timestamptz(3) NOT NULL DEFAULT '-infinity'
);
INSERT INTO change_counters (company_id) SELECT id FROM companies;

CREATE TABLE changes (
  company_id text COLLATE "C" NOT NULL REFERENCES companies (id),
  sequence bigint NOT NULL,
  type text COLLATE "C" NOT NULL,
  subject_object text NOT NULL,
  subject_id text COLLATE "C" NOT NULL,
  actor_type text NOT NULL CHECK (actor_type IN ('user', 'apiKey', 'customer', 'system')),
  actor_id text COLLATE "C",
  actor_name text,
  -- json, not jsonb: members keep the order of the public object.
  data json NOT NULL,
  previous json NOT NULL,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (company_id, sequence)
);
CREATE INDEX changes_by_subject ON changes (company_id, subject_id, sequence);
CREATE INDEX changes_by_type ON changes (company_id, type, sequence);
CREATE INDEX changes_by_time ON changes (company_id, created_at, sequence);

-- Keys of other endpoints begin with their method and path, and a space.
ALTER TABLE idempotency_records DROP CONSTRAINT idempotency_records_key_check,
  ADD CHECK (key ~ '^[\x20-\x7e]+$' AND length(key) <= 800);

-- Lists of leads and tasks: newest first, and by each filter.
CREATE INDEX leads_by_creation ON leads (company_id, created_at DESC, id DESC);
CREATE INDEX leads_by_update ON leads (company_id, updated_at);
CREATE INDEX leads_by_email ON leads (company_id, lower(email COLLATE "C"), created_at DESC, id DESC);
CREATE INDEX tasks_by_creation ON tasks (company_id, created_at DESC, id DESC);
CREATE INDEX tasks_by_update ON tasks (company_id, updated_at);
CREATE INDEX tasks_by_due_date ON tasks (company_id, due_date);
