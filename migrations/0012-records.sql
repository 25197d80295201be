-- The records that people keep in the console: company profile, priced catalog, packages, contacts, and options of quotes.

ALTER TABLE companies
  ADD COLUMN legal_name text,
  ADD COLUMN street_address text,
  ADD COLUMN city text,
  ADD COLUMN state text,
  ADD COLUMN zip text,
  ADD COLUMN country text,
  ADD COLUMN email text,
  ADD COLUMN phone text,
  ADD COLUMN tax_number text,
  ADD COLUMN website text,
  ADD COLUMN time_zone required_text,
  ADD COLUMN locale text,
  ADD COLUMN accent_color text,
  -- A data URL of at most 512 KiB before encoding.
  ADD COLUMN logo text,
  ADD COLUMN quote_valid_days whole_number NOT NULL DEFAULT 30,
  ADD COLUMN quote_prefix text NOT NULL DEFAULT 'Q-',
  ADD COLUMN next_quote_number whole_number NOT NULL DEFAULT 1,
  ADD COLUMN invoice_prefix text NOT NULL DEFAULT 'INV-',
  ADD COLUMN next_invoice_number whole_number NOT NULL DEFAULT 1,
  ADD COLUMN footer text,
  ADD COLUMN how_to_pay text,
  ADD COLUMN default_tax_rate_id record_id,
  ADD COLUMN default_payment_terms_id record_id,
  ADD COLUMN default_contract_id record_id,
  ADD COLUMN default_service_charge_ids text[] COLLATE "C" NOT NULL DEFAULT '{}' CHECK (is_id_list(default_service_charge_ids));

ALTER TABLE services
  ADD COLUMN prices jsonb NOT NULL DEFAULT '[]',
  ADD COLUMN unit text NOT NULL DEFAULT 'EACH' CHECK (unit IN ('EACH', 'HOUR', 'GUEST', 'DAY')),
  ADD COLUMN taxable boolean NOT NULL DEFAULT true;
ALTER TABLE addons
  ADD COLUMN prices jsonb NOT NULL DEFAULT '[]',
  ADD COLUMN unit text NOT NULL DEFAULT 'EACH' CHECK (unit IN ('EACH', 'HOUR', 'GUEST', 'DAY')),
  ADD COLUMN taxable boolean NOT NULL DEFAULT true;

CREATE TABLE packages (
  company_id text COLLATE "C" NOT NULL REFERENCES companies (id),
  id record_id NOT NULL,
  name required_text NOT NULL,
  description text,
  lines jsonb NOT NULL DEFAULT '[]',
  archived_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, id)
);

ALTER TABLE leads ADD COLUMN notes text, ADD COLUMN archived_at timestamptz(3);
ALTER TABLE resources ADD COLUMN archived_at timestamptz(3);
ALTER TABLE staff ADD COLUMN archived_at timestamptz(3);

ALTER TABLE quotes ADD COLUMN number text;
-- In byte order, for a search by the beginning of a number without regard to case, for any script.
CREATE INDEX quotes_by_number ON quotes (company_id, (lower(number COLLATE "und-x-icu") COLLATE "C"), id)
  WHERE number IS NOT NULL;

ALTER TABLE line_items
  ADD COLUMN optional boolean NOT NULL DEFAULT false,
  -- A line that is not selected is not part of the price.
  ADD COLUMN selected boolean NOT NULL DEFAULT true,
  ADD COLUMN option_group text,
  -- Lines without a position come last, in the order they were added.
  ADD COLUMN position whole_number;


-- Search: each word of a record is a lexeme, preceded by a hash of the company, so that the words of other companies are not
-- read. Words are in lower case for any script. Long texts are cut: an index entry has a maximum size.
CREATE FUNCTION words_of(company_id text, content text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ARRAY(
  SELECT DISTINCT left(md5(company_id), 8) || left(word, 60)
  FROM regexp_split_to_table(lower(left(content, 2000) COLLATE "und-x-icu"), '[^[:alnum:]]+') AS word
  WHERE word <> '');
CREATE FUNCTION search_vector(company_id text, content text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN array_to_tsvector(words_of(company_id, content));
-- Every word must be there, or begin a word that is.
CREATE FUNCTION search_query(company_id text, content text) RETURNS tsquery LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (SELECT string_agg(word || ':*', ' & ') FROM unnest(words_of(company_id, content)) AS word)::tsquery;
-- The order of a list by name. Cut, since an index entry has a maximum size.
CREATE FUNCTION name_order(name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN left(lower(name COLLATE "und-x-icu"), 200);

ALTER TABLE leads
  ADD COLUMN name_order text COLLATE "C" GENERATED ALWAYS AS (name_order(
    coalesce(nullif(trim(coalesce(first_name, '') || ' ' || coalesce(last_name, '')), ''), nullif(trim(company_name), ''), email, ''))) STORED,
  ADD COLUMN search tsvector GENERATED ALWAYS AS (search_vector(company_id, coalesce(first_name, '') || ' ' || coalesce(last_name, '') || ' ' || coalesce(email, '') || ' ' ||
    coalesce(phone, '') || ' ' || coalesce(company_name, ''))) STORED;
CREATE INDEX leads_by_name ON leads (company_id, (archived_at IS NULL), name_order, id);
CREATE INDEX leads_by_words ON leads USING gin (search);
CREATE INDEX leads_by_archival ON leads (company_id, (archived_at IS NULL), created_at DESC, id DESC);

ALTER TABLE services
  ADD COLUMN name_order text COLLATE "C" GENERATED ALWAYS AS (name_order(name)) STORED,
  ADD COLUMN search tsvector GENERATED ALWAYS AS (search_vector(company_id, name || ' ' || coalesce(description, ''))) STORED;
CREATE INDEX services_by_name ON services (company_id, (archived_at IS NULL), name_order, id);
CREATE INDEX services_by_words ON services USING gin (search);

ALTER TABLE addons
  ADD COLUMN name_order text COLLATE "C" GENERATED ALWAYS AS (name_order(name)) STORED,
  ADD COLUMN search tsvector GENERATED ALWAYS AS (search_vector(company_id, name || ' ' || coalesce(description, ''))) STORED;
CREATE INDEX addons_by_name ON addons (company_id, (archived_at IS NULL), name_order, id);
CREATE INDEX addons_by_words ON addons USING gin (search);

ALTER TABLE packages
  ADD COLUMN name_order text COLLATE "C" GENERATED ALWAYS AS (name_order(name)) STORED,
  ADD COLUMN search tsvector GENERATED ALWAYS AS (search_vector(company_id, name || ' ' || coalesce(description, ''))) STORED;
CREATE INDEX packages_by_name ON packages (company_id, (archived_at IS NULL), name_order, id);
CREATE INDEX packages_by_words ON packages USING gin (search);
CREATE INDEX packages_by_archival ON packages (company_id, (archived_at IS NULL), created_at DESC, id DESC);

ALTER TABLE discounts
  ADD COLUMN name_order text COLLATE "C" GENERATED ALWAYS AS (name_order(name)) STORED,
  ADD COLUMN search tsvector GENERATED ALWAYS AS (search_vector(company_id, name)) STORED;
CREATE INDEX discounts_by_name ON discounts (company_id, (archived_at IS NULL), name_order, id);
CREATE INDEX discounts_by_words ON discounts USING gin (search);
CREATE INDEX discounts_by_archival ON discounts (company_id, (archived_at IS NULL), created_at DESC, id DESC);

ALTER TABLE service_charges
  ADD COLUMN name_order text COLLATE "C" GENERATED ALWAYS AS (name_order(name)) STORED,
  ADD COLUMN search tsvector GENERATED ALWAYS AS (search_vector(company_id, name)) STORED;
CREATE INDEX service_charges_by_name ON service_charges (company_id, (archived_at IS NULL), name_order, id);
CREATE INDEX service_charges_by_words ON service_charges USING gin (search);
CREATE INDEX service_charges_by_archival ON service_charges (company_id, (archived_at IS NULL), created_at DESC, id DESC);

ALTER TABLE tax_rates
  ADD COLUMN name_order text COLLATE "C" GENERATED ALWAYS AS (name_order(name)) STORED,
  ADD COLUMN search tsvector GENERATED ALWAYS AS (search_vector(company_id, name)) STORED;
CREATE INDEX tax_rates_by_name ON tax_rates (company_id, (archived_at IS NULL), name_order, id);
CREATE INDEX tax_rates_by_words ON tax_rates USING gin (search);
CREATE INDEX tax_rates_by_archival ON tax_rates (company_id, (archived_at IS NULL), created_at DESC, id DESC);

ALTER TABLE payment_terms
  ADD COLUMN name_order text COLLATE "C" GENERATED ALWAYS AS (name_order(name)) STORED,
  ADD COLUMN search tsvector GENERATED ALWAYS AS (search_vector(company_id, name)) STORED;
CREATE INDEX payment_terms_by_name ON payment_terms (company_id, (archived_at IS NULL), name_order, id);
CREATE INDEX payment_terms_by_words ON payment_terms USING gin (search);
CREATE INDEX payment_terms_by_archival ON payment_terms (company_id, (archived_at IS NULL), created_at DESC, id DESC);

ALTER TABLE contracts
  ADD COLUMN name_order text COLLATE "C" GENERATED ALWAYS AS (name_order(name)) STORED,
  ADD COLUMN search tsvector GENERATED ALWAYS AS (search_vector(company_id, name || ' ' || coalesce(description, ''))) STORED;
CREATE INDEX contracts_by_name ON contracts (company_id, (archived_at IS NULL), name_order, id);
CREATE INDEX contracts_by_words ON contracts USING gin (search);
CREATE INDEX contracts_by_archival ON contracts (company_id, (archived_at IS NULL), created_at DESC, id DESC);

ALTER TABLE event_types
  ADD COLUMN name_order text COLLATE "C" GENERATED ALWAYS AS (name_order(name)) STORED,
  ADD COLUMN search tsvector GENERATED ALWAYS AS (search_vector(company_id, name)) STORED;
CREATE INDEX event_types_by_name ON event_types (company_id, (archived_at IS NULL), name_order, id);
CREATE INDEX event_types_by_words ON event_types USING gin (search);

ALTER TABLE locations
  ADD COLUMN name_order text COLLATE "C" GENERATED ALWAYS AS (name_order(name)) STORED,
  ADD COLUMN search tsvector GENERATED ALWAYS AS (search_vector(company_id, name || ' ' || coalesce(street_address, '') || ' ' ||
    coalesce(city, '') || ' ' || coalesce(zip, ''))) STORED;
CREATE INDEX locations_by_name ON locations (company_id, (archived_at IS NULL), name_order, id);
CREATE INDEX locations_by_words ON locations USING gin (search);

ALTER TABLE resources
  ADD COLUMN name_order text COLLATE "C" GENERATED ALWAYS AS (name_order(name)) STORED,
  ADD COLUMN search tsvector GENERATED ALWAYS AS (search_vector(company_id, name || ' ' || coalesce(category, '') || ' ' ||
    coalesce(description, ''))) STORED;
CREATE INDEX resources_by_name ON resources (company_id, (archived_at IS NULL), name_order, id);
CREATE INDEX resources_by_words ON resources USING gin (search);
CREATE INDEX resources_by_archival ON resources (company_id, (archived_at IS NULL), created_at DESC, id DESC);

ALTER TABLE staff
  ADD COLUMN name_order text COLLATE "C" GENERATED ALWAYS AS (name_order(first_name || ' ' || last_name)) STORED,
  ADD COLUMN search tsvector GENERATED ALWAYS AS (search_vector(company_id, first_name || ' ' || last_name || ' ' || email || ' ' ||
    coalesce(phone, '') || ' ' || coalesce(role, ''))) STORED;
CREATE INDEX staff_by_name ON staff (company_id, (archived_at IS NULL), name_order, id);
CREATE INDEX staff_by_words ON staff USING gin (search);
CREATE INDEX staff_by_archival ON staff (company_id, (archived_at IS NULL), created_at DESC, id DESC);

CREATE INDEX resources_by_category ON resources (company_id, category);
