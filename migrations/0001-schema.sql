-- The whole data model. Every primary key and index begins with the company, every look-up names it, so one company's
-- rows lie together and the tables can be distributed by company. Ids are unique per company and kind.
-- Ownership (a line of its quote, a task of its event ...) has a foreign key. Every other reference is soft: data from
-- elsewhere has holes, reads treat them as "not there", and `quoting doctor` lists them.

CREATE DOMAIN record_id AS text COLLATE "C" CHECK (char_length(VALUE) BETWEEN 1 AND 255);
CREATE DOMAIN required_text AS text CHECK (VALUE <> '');
CREATE DOMAIN cents AS bigint CHECK (VALUE BETWEEN 0 AND 100000000000);
CREATE DOMAIN percentage AS numeric(9, 6) CHECK (VALUE BETWEEN 0 AND 100);
CREATE DOMAIN quantity AS numeric(11, 4) CHECK (VALUE BETWEEN 0 AND 1000000);
CREATE DOMAIN currency_code AS char(3) CHECK (VALUE ~ '^[A-Z]{3}$');
CREATE DOMAIN whole_number AS integer CHECK (VALUE >= 0);

-- A loop and not a query: it is called for every row that is written, and a query inside costs ten times as much.
CREATE FUNCTION is_id_list(ids text[]) RETURNS boolean LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  IF cardinality(ids) > 100 THEN
    RETURN (SELECT count(*) = count(DISTINCT v) AND bool_and(char_length(v) BETWEEN 1 AND 255) FROM unnest(ids) AS v);
  END IF;
  FOR i IN 1..cardinality(ids) LOOP
    IF ids[i] IS NULL OR char_length(ids[i]) NOT BETWEEN 1 AND 255 OR array_position(ids, ids[i]) <> i THEN
      RETURN false;
    END IF;
  END LOOP;
  RETURN true;
END
$$;

-- A cast to cidr refuses host bits to the right of the mask, as the world format does.
CREATE FUNCTION is_network_list(networks text[]) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT cardinality(networks) = 0 OR (SELECT bool_and(v::cidr IS NOT NULL) FROM unnest(networks) AS v)
$$;

CREATE TABLE companies (
  id record_id PRIMARY KEY,
  name required_text NOT NULL,
  plan text NOT NULL CHECK (plan IN ('BASIC', 'PRO', 'PREMIUM', 'LEGACY_PRO')),
  currency currency_code NOT NULL,
  allowed_ips text[] NOT NULL DEFAULT '{}' CHECK (is_network_list(allowed_ips)),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);

CREATE TABLE api_keys (
  company_id text COLLATE "C" NOT NULL REFERENCES companies (id),
  id record_id NOT NULL,
  name required_text NOT NULL,
  key_hash text COLLATE "C" NOT NULL CHECK (key_hash ~ '^[0-9a-f]{64}$'),
  revoked_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, id)
);
-- The one look-up by a global value: a key alone says whose it is.
CREATE UNIQUE INDEX api_keys_key_hash ON api_keys (key_hash);

CREATE TABLE leads (
  company_id text COLLATE "C" NOT NULL REFERENCES companies (id),
  id record_id NOT NULL,
  first_name text,
  last_name text,
  email text,
  phone text,
  company_name text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, id)
);

CREATE TABLE locations (
  company_id text COLLATE "C" NOT NULL REFERENCES companies (id),
  id record_id NOT NULL,
  name required_text NOT NULL,
  street_address text,
  city text,
  state text,
  zip text,
  time_zone required_text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, id)
);

CREATE TABLE event_types (
  company_id text COLLATE "C" NOT NULL REFERENCES companies (id),
  id record_id NOT NULL,
  name required_text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, id)
);

CREATE TABLE services (
  company_id text COLLATE "C" NOT NULL REFERENCES companies (id),
  id record_id NOT NULL,
  name required_text NOT NULL,
  description text,
  image_url text,
  archived_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, id)
);

CREATE TABLE addons (LIKE services INCLUDING ALL, FOREIGN KEY (company_id) REFERENCES companies (id));

CREATE TABLE discounts (
  company_id text COLLATE "C" NOT NULL REFERENCES companies (id),
  id record_id NOT NULL,
  name required_text NOT NULL,
  type text NOT NULL CHECK (type IN ('PERCENT', 'AMOUNT')),
  percent_off percentage,
  amount_off cents,
  currency currency_code,
  archived_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, id),
  CHECK ((type = 'PERCENT') = (percent_off IS NOT NULL)),
  CHECK ((type = 'AMOUNT') = (amount_off IS NOT NULL)),
  CHECK ((type = 'AMOUNT') = (currency IS NOT NULL))
);

CREATE TABLE tax_rates (
  company_id text COLLATE "C" NOT NULL REFERENCES companies (id),
  id record_id NOT NULL,
  name required_text NOT NULL,
  rate percentage NOT NULL,
  archived_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, id)
);

CREATE TABLE payment_terms (
  company_id text COLLATE "C" NOT NULL REFERENCES companies (id),
  id record_id NOT NULL,
  name required_text NOT NULL,
  payment_schedule text NOT NULL CHECK (payment_schedule IN ('DEPOSIT', 'FULL', 'CARD_ON_FILE', 'INVOICE_ONLY')),
  deposit_type text CHECK (deposit_type IN ('PERCENT', 'AMOUNT')),
  deposit_percentage percentage,
  deposit_amount_cents cents,
  invoice_due_days whole_number NOT NULL DEFAULT 0,
  archived_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, id),
  CHECK ((deposit_type IS NOT DISTINCT FROM 'PERCENT') = (deposit_percentage IS NOT NULL)),
  CHECK ((deposit_type IS NOT DISTINCT FROM 'AMOUNT') = (deposit_amount_cents IS NOT NULL))
);

CREATE TABLE service_charges (
  company_id text COLLATE "C" NOT NULL REFERENCES companies (id),
  id record_id NOT NULL,
  name required_text NOT NULL,
  type text NOT NULL CHECK (type IN ('PERCENT', 'AMOUNT')),
  percentage percentage,
  amount_cents cents,
  currency currency_code,
  taxable boolean NOT NULL DEFAULT true,
  archived_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, id),
  CHECK ((type = 'PERCENT') = (percentage IS NOT NULL)),
  CHECK ((type = 'AMOUNT') = (amount_cents IS NOT NULL)),
  CHECK ((type = 'AMOUNT') = (currency IS NOT NULL))
);

CREATE TABLE contracts (
  company_id text COLLATE "C" NOT NULL REFERENCES companies (id),
  id record_id NOT NULL,
  name required_text NOT NULL,
  description text,
  content text,
  archived_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, id)
);

CREATE TABLE quotes (
  company_id text COLLATE "C" NOT NULL REFERENCES companies (id),
  id record_id NOT NULL,
  lead_id record_id NOT NULL,
  location_id record_id NOT NULL,
  event_type_id record_id,
  booking_id record_id,
  discount_id record_id,
  tax_rate_id record_id,
  payment_terms_id record_id,
  contract_id record_id,
  service_charge_ids text[] COLLATE "C" NOT NULL DEFAULT '{}'
    CHECK (cardinality(service_charge_ids) <= 20 AND is_id_list(service_charge_ids)),
  number_of_staff whole_number NOT NULL DEFAULT 0,
  number_of_resources whole_number NOT NULL DEFAULT 0,
  guest_count whole_number NOT NULL DEFAULT 0,
  event_address required_text NOT NULL,
  event_description text,
  site_contact_name text,
  site_contact_phone text,
  entity_to_invoice text,
  currency currency_code NOT NULL,
  base_fee_cents cents NOT NULL DEFAULT 0,
  travel_fee_cents cents NOT NULL DEFAULT 0,
  base_fee_taxable boolean NOT NULL DEFAULT true,
  travel_fee_taxable boolean NOT NULL DEFAULT true,
  sent_at timestamptz(3),
  expires_at timestamptz(3),
  booked_at timestamptz(3),
  lost_at timestamptz(3),
  lost_reason text CHECK (lost_reason IN ('PRICE', 'DATE_UNAVAILABLE', 'WENT_SILENT', 'CHOSE_COMPETITOR', 'OTHER')),
  deleted_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, id)
);
-- The order of every list; deleted quotes are never listed. One index per filter, so that a page is a stretch of it.
CREATE INDEX quotes_by_creation ON quotes (company_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX quotes_by_update ON quotes (company_id, updated_at) WHERE deleted_at IS NULL;
CREATE INDEX quotes_by_lead ON quotes (company_id, lead_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX quotes_by_location ON quotes (company_id, location_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX quotes_by_booking ON quotes (company_id, booking_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX quotes_by_event_type ON quotes (company_id, event_type_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;

CREATE TABLE service_days (
  company_id text COLLATE "C" NOT NULL,
  id record_id NOT NULL,
  quote_id record_id NOT NULL,
  service_start_time timestamptz(3) NOT NULL,
  service_end_time timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, quote_id) REFERENCES quotes (company_id, id)
);
CREATE INDEX service_days_by_quote ON service_days (company_id, quote_id, service_start_time, id);
CREATE INDEX service_days_by_start ON service_days (company_id, service_start_time, quote_id);

CREATE TABLE line_items (
  company_id text COLLATE "C" NOT NULL,
  id record_id NOT NULL,
  quote_id record_id NOT NULL,
  service_day_id record_id,
  kind text NOT NULL CHECK (kind IN ('SERVICE', 'ADDON', 'CUSTOM')),
  service_id record_id,
  addon_id record_id,
  description text,
  quantity quantity NOT NULL DEFAULT 1,
  unit_price_cents cents,
  price_cents cents NOT NULL,
  taxable boolean NOT NULL DEFAULT true,
  discount_id record_id,
  deleted_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, quote_id) REFERENCES quotes (company_id, id),
  CHECK ((kind = 'SERVICE') = (service_id IS NOT NULL)),
  CHECK ((kind = 'ADDON') = (addon_id IS NOT NULL))
);
CREATE INDEX line_items_by_quote ON line_items (company_id, quote_id, id);

CREATE TABLE bookings (
  company_id text COLLATE "C" NOT NULL REFERENCES companies (id),
  id record_id NOT NULL,
  quote_id record_id,
  lead_id record_id,
  event_type_id record_id,
  full_name text,
  email text,
  phone text,
  entity_to_invoice text,
  payment_method text,
  billing_notes text,
  card_on_file boolean NOT NULL DEFAULT false,
  currency currency_code NOT NULL,
  total_price_cents cents NOT NULL,
  gratuity_amount_cents cents,
  canceled_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, id)
);

CREATE TABLE events (
  company_id text COLLATE "C" NOT NULL REFERENCES companies (id),
  id record_id NOT NULL,
  booking_id record_id,
  location_id record_id,
  name text,
  client_name text,
  client_email text,
  client_phone text,
  site_contact_name text,
  site_contact_phone text,
  event_description text,
  event_address text,
  additional_location_info text,
  special_notes text,
  parking_loading_info text,
  staff_dress_code text,
  service_start_time timestamptz(3) NOT NULL,
  service_end_time timestamptz(3) NOT NULL,
  shift_start_time timestamptz(3),
  shift_end_time timestamptz(3),
  staff_number whole_number NOT NULL DEFAULT 0,
  resource_number whole_number NOT NULL DEFAULT 0,
  guest_count whole_number,
  multi_day boolean NOT NULL DEFAULT false,
  outdoors boolean NOT NULL DEFAULT false,
  tip_jar_allowed boolean NOT NULL DEFAULT false,
  service_ids text[] COLLATE "C" NOT NULL DEFAULT '{}' CHECK (is_id_list(service_ids)),
  addon_ids text[] COLLATE "C" NOT NULL DEFAULT '{}' CHECK (is_id_list(addon_ids)),
  staff_ids text[] COLLATE "C" NOT NULL DEFAULT '{}' CHECK (is_id_list(staff_ids)),
  resource_ids text[] COLLATE "C" NOT NULL DEFAULT '{}' CHECK (is_id_list(resource_ids)),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, id)
);
CREATE INDEX events_by_booking ON events (company_id, booking_id, service_start_time, id);

CREATE TABLE resources (
  company_id text COLLATE "C" NOT NULL REFERENCES companies (id),
  id record_id NOT NULL,
  name required_text NOT NULL,
  description text,
  image_url text,
  category text,
  status text NOT NULL DEFAULT 'Active' CHECK (status IN ('Active', 'Inactive')),
  location_id record_id NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, id)
);
-- DESC as in the list's ORDER BY: a page is one stretch of the index, at any depth.
CREATE INDEX resources_by_creation ON resources (company_id, created_at DESC, id DESC);
CREATE INDEX resources_by_location ON resources (company_id, location_id, created_at DESC, id DESC);

CREATE TABLE staff (
  company_id text COLLATE "C" NOT NULL REFERENCES companies (id),
  id record_id NOT NULL,
  first_name required_text NOT NULL,
  last_name required_text NOT NULL,
  email required_text NOT NULL,
  phone text,
  role text,
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'inactive')),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, id)
);

CREATE TABLE invoices (
  company_id text COLLATE "C" NOT NULL,
  id record_id NOT NULL,
  booking_id record_id NOT NULL,
  lead_id record_id,
  invoice_number required_text NOT NULL,
  description text,
  notes text,
  po_number text,
  currency currency_code NOT NULL,
  total_cents cents NOT NULL,
  amount_paid_cents cents NOT NULL DEFAULT 0,
  issued_at timestamptz(3),
  due_date timestamptz(3),
  voided_at timestamptz(3),
  -- [{description, quantity, amountCents}]: shown on the invoice page only, always read whole.
  lines jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(lines) = 'array'),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, booking_id) REFERENCES bookings (company_id, id)
);
CREATE INDEX invoices_by_booking ON invoices (company_id, booking_id, created_at, id);

CREATE TABLE forms (
  company_id text COLLATE "C" NOT NULL REFERENCES companies (id),
  id record_id NOT NULL,
  name required_text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, id)
);

CREATE TABLE form_questions (
  company_id text COLLATE "C" NOT NULL,
  id record_id NOT NULL,
  form_id record_id NOT NULL,
  title required_text NOT NULL,
  type text NOT NULL CHECK (type IN (
    'ADDRESS', 'ADDONS', 'TEXT', 'MULTISELECT', 'MULTICHOICE', 'DROPDOWN', 'DATE', 'TIME', 'NUMBER', 'YESNO',
    'DISPLAYTEXT', 'ACKNOWLEDGEMENTS', 'RESOURCE', 'STAFFING_CALCULATOR')),
  subtitle text,
  position whole_number NOT NULL,
  system_required boolean NOT NULL DEFAULT false,
  user_required boolean NOT NULL DEFAULT false,
  linked_system_field text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, form_id) REFERENCES forms (company_id, id)
);

CREATE TABLE form_responses (
  company_id text COLLATE "C" NOT NULL REFERENCES companies (id),
  id record_id NOT NULL,
  form_id record_id NOT NULL,
  booking_id record_id,
  quote_id record_id,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, id)
);

CREATE TABLE form_answers (
  company_id text COLLATE "C" NOT NULL,
  form_response_id record_id NOT NULL,
  id record_id NOT NULL,
  ordinal whole_number NOT NULL,
  question_id record_id NOT NULL,
  response required_text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, form_response_id, id),
  FOREIGN KEY (company_id, form_response_id) REFERENCES form_responses (company_id, id)
);

CREATE TABLE tasks (
  company_id text COLLATE "C" NOT NULL,
  id record_id NOT NULL,
  event_id record_id NOT NULL,
  description required_text NOT NULL,
  due_date timestamptz(3),
  completed_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, event_id) REFERENCES events (company_id, id)
);
CREATE INDEX tasks_by_event ON tasks (company_id, event_id, created_at, id);
