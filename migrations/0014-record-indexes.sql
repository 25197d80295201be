-- Whether a quote uses a record decides if the values of the record can be changed.
CREATE INDEX quotes_by_discount ON quotes (company_id, discount_id) WHERE discount_id IS NOT NULL;
CREATE INDEX quotes_by_tax_rate ON quotes (company_id, tax_rate_id) WHERE tax_rate_id IS NOT NULL;
CREATE INDEX quotes_by_payment_terms ON quotes (company_id, payment_terms_id) WHERE payment_terms_id IS NOT NULL;
CREATE INDEX line_items_by_discount ON line_items (company_id, discount_id) WHERE discount_id IS NOT NULL;

-- Each id of a list, preceded by a hash of the company, so that equal ids of other companies are not read.
CREATE FUNCTION ids_of_company(company_id text, ids text[]) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ARRAY(SELECT left(md5(company_id), 8) || id FROM unnest(ids) AS id);
CREATE INDEX quotes_by_service_charge ON quotes USING gin (ids_of_company(company_id, service_charge_ids))
  WHERE service_charge_ids <> '{}';

-- Filtered lists of current or archived records, newest first.
CREATE INDEX staff_by_status_and_archival ON staff (company_id, status, (archived_at IS NULL), created_at DESC, id DESC);
CREATE INDEX resources_by_status ON resources (company_id, status, (archived_at IS NULL), created_at DESC, id DESC);
CREATE INDEX resources_by_location_and_archival ON resources (company_id, location_id, (archived_at IS NULL), created_at DESC, id DESC);
DROP INDEX resources_by_category;
CREATE INDEX resources_by_category ON resources (company_id, category, (archived_at IS NULL), created_at DESC, id DESC);
