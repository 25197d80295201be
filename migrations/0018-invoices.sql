-- Invoices that booking creates. `tax_cents` is null for imported invoices whose tax is unknown. The lines are before
-- `discount_cents` and before `deducted_cents`, the net amount that another invoice of the booking has billed already.
-- Not of the domain `cents`: adding a column with a check rewrites the table.
ALTER TABLE invoices
  ADD COLUMN tax_cents bigint,
  ADD COLUMN discount_cents bigint NOT NULL DEFAULT 0,
  ADD COLUMN deducted_cents bigint NOT NULL DEFAULT 0;

-- Finds whether the next number is free. The same expression as in quotes_by_number.
CREATE INDEX invoices_by_number ON invoices (company_id, (lower(invoice_number COLLATE "und-x-icu") COLLATE "C"));
