-- Payments of invoices. An invoice keeps the amount that was imported as paid in `amount_paid_cents`. The sum of its payments that
-- are not reversed is derived from this table (src/records/payment/derived.ts, docs/adr/0017), so reading an invoice costs the same.
CREATE TABLE payments (
  company_id text COLLATE "C" NOT NULL,
  id record_id NOT NULL,
  invoice_id record_id NOT NULL,
  amount_cents cents NOT NULL,
  method text,
  received_at timestamptz(3) NOT NULL,
  note text,
  reversed_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, invoice_id) REFERENCES invoices (company_id, id)
);
CREATE INDEX payments_of_invoice ON payments (company_id, invoice_id, received_at, id);

ALTER TABLE invoices ADD COLUMN payments_cents bigint NOT NULL DEFAULT 0;

-- The same indexes, with the payments in the amount paid.
DROP INDEX invoices_due, invoices_by_state, invoices_unpaid, invoices_unpaid_by_state;
CREATE INDEX invoices_due ON invoices (company_id, due_date, id)
  INCLUDE (currency, total_cents, amount_paid_cents, payments_cents)
  WHERE voided_at IS NULL AND issued_at IS NOT NULL AND due_date IS NOT NULL
    AND amount_paid_cents + payments_cents < total_cents;
CREATE INDEX invoices_by_state ON invoices
  (company_id, invoice_state(voided_at, issued_at, total_cents, amount_paid_cents + payments_cents), created_at DESC, id DESC);
CREATE INDEX invoices_unpaid ON invoices (company_id, created_at DESC, id DESC)
  WHERE voided_at IS NULL AND issued_at IS NOT NULL AND amount_paid_cents + payments_cents < total_cents;
CREATE INDEX invoices_unpaid_by_state ON invoices
  (company_id, invoice_state(voided_at, issued_at, total_cents, amount_paid_cents + payments_cents),
    coalesce(due_date, 'infinity'))
  WHERE voided_at IS NULL AND issued_at IS NOT NULL AND amount_paid_cents + payments_cents < total_cents;
