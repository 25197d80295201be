-- The admin application: who may use it, what it looks things up by, and the log of requests it shows.

-- All locks at once and first: indexes keep writers waiting while they are built, readers not.
LOCK TABLE quotes, bookings, events, tasks, invoices IN SHARE MODE;

CREATE TABLE users (
  company_id text COLLATE "C" NOT NULL REFERENCES companies (id),
  id record_id NOT NULL,
  email required_text NOT NULL,
  name required_text NOT NULL,
  role text NOT NULL CHECK (role IN ('ADMIN', 'MEMBER')),
  -- $scrypt$ln=15,r=8,p=3$salt$hash: never the password.
  password_hash required_text NOT NULL,
  disabled_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, id)
);
-- Who signs in names no company. One person may belong to several: the address is not unique.
CREATE INDEX users_by_email ON users (lower(email));

-- One row for each browser that is signed in. The cookie holds a token, this its SHA-256.
CREATE TABLE sessions (
  company_id text COLLATE "C" NOT NULL,
  token_hash text COLLATE "C" NOT NULL CHECK (token_hash ~ '^[0-9a-f]{64}$'),
  user_id record_id NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, token_hash),
  FOREIGN KEY (company_id, user_id) REFERENCES users (company_id, id)
);
CREATE INDEX sessions_by_user ON sessions (company_id, user_id);

-- A session does not outlive the password it began with, nor the user, whoever changes them.
CREATE FUNCTION end_sessions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM sessions WHERE company_id = NEW.company_id AND user_id = NEW.id;
  RETURN NULL;
END
$$;
CREATE TRIGGER users_end_sessions AFTER UPDATE ON users FOR EACH ROW
  WHEN (NEW.password_hash <> OLD.password_hash OR (NEW.disabled_at IS NOT NULL AND OLD.disabled_at IS NULL))
  EXECUTE FUNCTION end_sessions();

-- Failed sign-ins, counted by what was tried and where from: hashes only. There is no company before the sign-in.
CREATE TABLE sign_in_failures (
  subject_hash text COLLATE "C" PRIMARY KEY,
  failures whole_number NOT NULL,
  last_at timestamptz(3) NOT NULL
);

-- Beside the keys: written about once a minute, by several processes, and no part of a key's own history.
CREATE TABLE api_key_uses (
  company_id text COLLATE "C" NOT NULL,
  key_id record_id NOT NULL,
  last_used_at timestamptz(3) NOT NULL,
  PRIMARY KEY (company_id, key_id),
  FOREIGN KEY (company_id, key_id) REFERENCES api_keys (company_id, id)
);

-- The last days of requests to the API, a bounded number for each company; ids rise with time. No key, no body.
CREATE TABLE request_log (
  company_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  at timestamptz(3) NOT NULL,
  key_id text COLLATE "C" NOT NULL,
  method text NOT NULL,
  path text NOT NULL,
  status smallint NOT NULL,
  duration_us integer NOT NULL,
  request_id text COLLATE "C" NOT NULL,
  -- Why it was denied: the answer does not tell, but the company may know.
  denial text,
  PRIMARY KEY (company_id, id)
);

-- Where a quote stands; whether one that was sent has expired depends on the clock. The same as src/core/quotes/quote-state.ts.
CREATE FUNCTION quote_state(sent_at timestamptz, booked_at timestamptz, lost_at timestamptz) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE
  WHEN booked_at IS NOT NULL THEN 'booked'
  WHEN lost_at IS NOT NULL THEN 'lost'
  WHEN sent_at IS NOT NULL THEN 'sent'
  ELSE 'draft'
END;
-- Counting by state needs no more than the index has.
CREATE INDEX quotes_by_state ON quotes
  (company_id, quote_state(sent_at, booked_at, lost_at), created_at DESC, id DESC)
  INCLUDE (sent_at, booked_at, lost_at, expires_at) WHERE deleted_at IS NULL;
CREATE INDEX bookings_by_creation ON bookings (company_id, created_at) INCLUDE (currency, total_price_cents, canceled_at);
CREATE INDEX events_by_start ON events (company_id, service_start_time, id);
CREATE INDEX tasks_due ON tasks (company_id, due_date, id) WHERE completed_at IS NULL AND due_date IS NOT NULL;
-- With the amounts, since what is overdue is added up.
CREATE INDEX invoices_due ON invoices (company_id, due_date, id) INCLUDE (currency, total_cents, amount_paid_cents)
  WHERE voided_at IS NULL AND issued_at IS NOT NULL AND due_date IS NOT NULL AND amount_paid_cents < total_cents;

-- The beginning of a key that was made here, for people to tell keys apart by; null where only the hash was ever known.
-- Last, because it keeps out readers, and every request reads keys: none is to wait until indexes are built.
ALTER TABLE api_keys ADD COLUMN prefix text;
