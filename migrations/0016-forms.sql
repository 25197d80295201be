-- Forms that visitors fill in: their address, what they are for, the sites that show them, conditions, and a limit per address.

ALTER TABLE forms
  ADD COLUMN slug text COLLATE "C",
  ADD COLUMN purpose text CHECK (purpose IN ('QUOTE', 'BOOKING')),
  ADD COLUMN published_at timestamptz(3),
  ADD COLUMN allowed_origins text[] NOT NULL DEFAULT '{}',
  ADD COLUMN archived_at timestamptz(3);
-- Unique over all companies: a visitor names the form, not the company.
CREATE UNIQUE INDEX forms_by_slug ON forms (slug);
CREATE INDEX forms_by_creation ON forms (company_id, created_at DESC, id DESC);

ALTER TABLE form_questions
  ADD COLUMN options text[] NOT NULL DEFAULT '{}',
  ADD COLUMN show_when jsonb,
  ADD COLUMN archived_at timestamptz(3);
CREATE INDEX form_questions_by_form ON form_questions (company_id, form_id, position, id);

-- Submissions of the current period of each network.
CREATE TABLE form_limits (
  company_id text COLLATE "C" NOT NULL REFERENCES companies (id),
  network_hash text COLLATE "C" NOT NULL,
  submissions whole_number NOT NULL,
  started_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, network_hash)
);
CREATE INDEX form_limits_by_age ON form_limits (company_id, started_at);
