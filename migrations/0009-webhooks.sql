-- Webhooks: endpoints, and one delivery for each change and endpoint (docs/adr/0027).

-- A write reads both when it has locked the company, so a company without endpoints needs no further statement.
ALTER TABLE change_counters
  ADD COLUMN has_webhooks boolean NOT NULL DEFAULT false,
  ADD COLUMN last_delivery bigint NOT NULL DEFAULT 0;

CREATE TABLE webhook_endpoints (
  company_id text COLLATE "C" NOT NULL REFERENCES companies (id),
  id text COLLATE "C" NOT NULL,
  url text NOT NULL,
  types text[] NOT NULL,
  description text,
  status text NOT NULL DEFAULT 'enabled' CHECK (status IN ('enabled', 'disabled')),
  disabled_reason text,
  -- Newest first: [{"sealed": text, "until": time or null}], encrypted with a key derived from APP_SECRET.
  secrets jsonb NOT NULL,
  -- The first failed attempt since the last delivery.
  failing_since timestamptz(3),
  -- The process that sends to this endpoint, and how long it may.
  lease_owner text,
  lease_until timestamptz,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, id)
);

CREATE TABLE webhook_deliveries (
  company_id text COLLATE "C" NOT NULL REFERENCES companies (id),
  -- Numbered per company in the order of creation, which is the order of delivery within a subject.
  number bigint NOT NULL,
  endpoint_id text COLLATE "C" NOT NULL,
  change_sequence bigint NOT NULL,
  -- Type and id of the change's subject.
  subject text COLLATE "C" NOT NULL,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'delivered', 'failed')),
  -- Infinity: waits for an earlier delivery of the subject. Null unless pending.
  next_attempt_at timestamptz(3) DEFAULT now(),
  -- A user asked to send it now, even if an earlier delivery of the subject is pending.
  is_forced boolean NOT NULL DEFAULT false,
  -- [{"at", "status", "error", "durationMs", "response"}]
  attempts jsonb NOT NULL DEFAULT '[]',
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, number),
  CHECK ((status = 'pending') = (next_attempt_at IS NOT NULL))
);
CREATE INDEX webhook_deliveries_by_endpoint ON webhook_deliveries (company_id, endpoint_id, status, number);
CREATE INDEX webhook_deliveries_by_change ON webhook_deliveries (company_id, change_sequence);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (company_id, endpoint_id, next_attempt_at, number)
  WHERE status = 'pending';
CREATE INDEX webhook_deliveries_by_subject ON webhook_deliveries (company_id, endpoint_id, subject, number)
  WHERE status = 'pending';
