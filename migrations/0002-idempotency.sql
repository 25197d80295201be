-- Answers to task creations that carried an idempotency key, for safe retries. Written with the task, in one transaction.
CREATE TABLE idempotency_records (
  company_id text COLLATE "C" NOT NULL REFERENCES companies (id),
  key text COLLATE "C" NOT NULL CHECK (key ~ '^[\x21-\x7e]{1,255}$'),
  body_hash text COLLATE "C" NOT NULL,
  -- Null only inside the transaction that makes the task.
  answer json,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, key)
);
CREATE INDEX idempotency_records_by_age ON idempotency_records (company_id, created_at);
