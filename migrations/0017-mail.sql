-- Outgoing messages. An action adds them in its transaction, and workers send them (docs/mail.md).

CREATE TABLE mails (
  company_id text COLLATE "C" NOT NULL REFERENCES companies (id),
  id record_id NOT NULL,
  kind text NOT NULL,
  to_address required_text NOT NULL,
  reply_to text,
  subject required_text NOT NULL,
  -- Null if the content is secret: then it is in mail_secrets until it is sent.
  text text,
  html text,
  -- The record that shows the message, if any.
  record_object text COLLATE "C",
  record_id text COLLATE "C",
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'sent', 'failed', 'canceled')),
  -- Attempts that began. It also identifies the attempt whose result is written.
  attempts integer NOT NULL DEFAULT 0,
  -- While a process sends the message: when another one may try. Null unless pending.
  next_attempt_at timestamptz(3) DEFAULT now(),
  last_error text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  sent_at timestamptz(3),
  PRIMARY KEY (company_id, id),
  CHECK ((status = 'pending') = (next_attempt_at IS NOT NULL)),
  CHECK ((status = 'sent') = (sent_at IS NOT NULL)),
  CHECK ((record_object IS NULL) = (record_id IS NULL))
);
CREATE INDEX mails_due ON mails (company_id, next_attempt_at, id) WHERE status = 'pending';
CREATE INDEX mails_by_record ON mails (company_id, record_object, record_id, id);

-- The content of messages with a link that lets a person in, encrypted with a key derived from APP_SECRET. It is deleted when the
-- message is sent, when the link expires, and when the link is replaced or used. Backups do not contain it.
CREATE TABLE mail_secrets (
  company_id text COLLATE "C" NOT NULL,
  mail_id record_id NOT NULL,
  sealed text NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (company_id, mail_id),
  FOREIGN KEY (company_id, mail_id) REFERENCES mails (company_id, id) ON DELETE CASCADE
);

-- Quotes that customers can still accept, for reminders before they expire.
CREATE INDEX quotes_expiring ON quotes (company_id, expires_at)
  WHERE deleted_at IS NULL AND booked_at IS NULL AND lost_at IS NULL AND sent_at IS NOT NULL;
