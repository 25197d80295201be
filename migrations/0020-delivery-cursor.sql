-- A write no longer creates webhook deliveries: a worker follows the change log and creates them (docs/adr/0027).

-- The last change whose deliveries were created. The flag says whether the worker looks at the company.
ALTER TABLE change_counters ADD COLUMN delivery_cursor bigint NOT NULL DEFAULT 0;
UPDATE change_counters SET delivery_cursor = last_sequence;
CREATE INDEX change_counters_with_webhooks ON change_counters (company_id) WHERE has_webhooks;

-- A change is only inserted together with its company's counter, which refers to the company. To check that twice costs each write
-- another lookup.
ALTER TABLE changes DROP CONSTRAINT IF EXISTS changes_company_id_fkey;
