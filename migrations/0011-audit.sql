-- What the change feed leaves out: keys, users, settings and sign-ins.
CREATE TABLE audit_entries (
  company_id text COLLATE "C" NOT NULL REFERENCES companies (id),
  id text COLLATE "C" NOT NULL,
  type text COLLATE "C" NOT NULL,
  actor_type text NOT NULL CHECK (actor_type IN ('user', 'apiKey', 'customer', 'system')),
  actor_id text COLLATE "C",
  actor_name text,
  subject_object text NOT NULL,
  subject_id text COLLATE "C" NOT NULL,
  -- The name at that time: the subject may be renamed or gone.
  subject_name text,
  details json NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, id)
);
CREATE INDEX audit_entries_by_time ON audit_entries (company_id, created_at DESC, id DESC);

-- The audit page filters by person.
CREATE INDEX changes_by_actor ON changes (company_id, actor_id, sequence);
