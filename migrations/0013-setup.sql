-- Setup by a link, invitations and password resets, and what users see of their sessions.

-- Links that `quoting serve` printed while there was no company. Each is valid until the first company is created.
CREATE TABLE setup_links (
  token_hash text COLLATE "C" PRIMARY KEY CHECK (token_hash ~ '^[0-9a-f]{64}$'),
  created_at timestamptz(3) NOT NULL DEFAULT now()
);

-- Open invitations. One that is accepted or revoked is deleted, so each link works once.
CREATE TABLE invitations (
  company_id text COLLATE "C" NOT NULL REFERENCES companies (id),
  id record_id NOT NULL,
  email required_text NOT NULL,
  role text NOT NULL CHECK (role IN ('ADMIN', 'MEMBER')),
  token_hash text COLLATE "C" NOT NULL CHECK (token_hash ~ '^[0-9a-f]{64}$'),
  -- The name at that time.
  invited_by text,
  expires_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, id)
);
CREATE UNIQUE INDEX invitations_by_token ON invitations (company_id, token_hash);

-- At most one per user: a new link replaces the previous one. One that is used is deleted.
CREATE TABLE password_resets (
  company_id text COLLATE "C" NOT NULL,
  user_id record_id NOT NULL,
  token_hash text COLLATE "C" NOT NULL CHECK (token_hash ~ '^[0-9a-f]{64}$'),
  expires_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, user_id),
  FOREIGN KEY (company_id, user_id) REFERENCES users (company_id, id)
);
CREATE UNIQUE INDEX password_resets_by_token ON password_resets (company_id, token_hash);

-- Users end a session by its id, which opens nothing. The time of the last use is written at most once a minute.
ALTER TABLE sessions
  ADD COLUMN id record_id NOT NULL DEFAULT gen_random_uuid()::text,
  ADD COLUMN user_agent text,
  ADD COLUMN address text,
  ADD COLUMN last_used_at timestamptz(3) NOT NULL DEFAULT now();
