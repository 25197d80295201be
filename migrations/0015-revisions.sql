-- Revisions of quotes: what a customer was sent, as canonical JSON with its hash. Content and hash never change.
CREATE TABLE quote_revisions (
  company_id text COLLATE "C" NOT NULL,
  id record_id NOT NULL,
  quote_id record_id NOT NULL,
  revision whole_number NOT NULL,
  content required_text NOT NULL,
  sha256 required_text NOT NULL,
  sent_at timestamptz(3) NOT NULL,
  viewed_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, quote_id) REFERENCES quotes (company_id, id)
);
CREATE UNIQUE INDEX quote_revisions_of_quote ON quote_revisions (company_id, quote_id, revision);

-- `choices` has the ids of the options that the customer selected, and `sha256` the hash of the revision.
CREATE TABLE acceptances (
  company_id text COLLATE "C" NOT NULL,
  id record_id NOT NULL,
  quote_revision_id record_id NOT NULL,
  name required_text NOT NULL,
  choices text[] NOT NULL DEFAULT '{}',
  accepted_at timestamptz(3) NOT NULL,
  address text,
  user_agent text,
  sha256 text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, quote_revision_id) REFERENCES quote_revisions (company_id, id)
);
CREATE INDEX acceptances_of_revision ON acceptances (company_id, quote_revision_id, accepted_at);

-- Not of the domain `record_id`: adding a column with a check rewrites the table.
ALTER TABLE bookings ADD COLUMN accepted_revision_id text COLLATE "C";

-- Questions of customers about a quote, and their words when they decline.
CREATE TABLE quote_questions (
  company_id text COLLATE "C" NOT NULL,
  id record_id NOT NULL,
  quote_id record_id NOT NULL,
  revision whole_number NOT NULL,
  kind text NOT NULL CHECK (kind IN ('QUESTION', 'DECLINE')),
  name text,
  text required_text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, quote_id) REFERENCES quotes (company_id, id)
);
CREATE INDEX quote_questions_of_quote ON quote_questions (company_id, quote_id, created_at, id);
