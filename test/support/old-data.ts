/** Rows that fit every schema since the first one, with something of everything that a total depends on. */

/** Two companies, each with this many quotes. */
export const oldData = (quotes: number) => `
  INSERT INTO companies (id, name, plan, currency) VALUES ('c', 'C', 'PREMIUM', 'USD'), ('d', 'D', 'PRO', 'EUR');
  INSERT INTO leads (company_id, id, first_name, email) SELECT c.id, 'lead' || n, 'Ada', 'ada' || n || '@example.com'
    FROM companies c, generate_series(1, 5) n;
  INSERT INTO locations (company_id, id, name, time_zone) SELECT id, 'loc', 'Pier 4', 'America/New_York' FROM companies;
  INSERT INTO services (company_id, id, name) SELECT id, 'bar', 'Bar' FROM companies;
  INSERT INTO discounts (company_id, id, name, type, percent_off) SELECT id, 'tenth', 'Spring', 'PERCENT', 10 FROM companies;
  INSERT INTO tax_rates (company_id, id, name, rate) SELECT id, 'tax', 'Sales tax', 8.875 FROM companies;
  INSERT INTO service_charges (company_id, id, name, type, percentage) SELECT id, 'service', 'Service', 'PERCENT', 20
    FROM companies;
  INSERT INTO quotes (company_id, id, lead_id, location_id, event_address, currency, base_fee_cents, travel_fee_cents,
      discount_id, tax_rate_id, service_charge_ids, created_at)
    SELECT c.id, 'q' || n, 'lead' || n % 5, 'loc', 'Quay ' || n, c.currency, n * 100, n,
      CASE n % 3 WHEN 0 THEN 'tenth' END, CASE n % 4 WHEN 0 THEN 'tax' END,
      CASE n % 5 WHEN 0 THEN '{service}' ELSE '{}' END::text[], now() - n * interval '1 hour'
    FROM companies c, generate_series(1, ${quotes}) n;
  INSERT INTO service_days (company_id, id, quote_id, service_start_time, service_end_time)
    SELECT c.id, 'day' || n, 'q' || n, now() + n * interval '1 day', now() + n * interval '1 day' + interval '5 hours'
    FROM companies c, generate_series(1, ${quotes}) n;
  INSERT INTO line_items (company_id, id, quote_id, kind, service_id, quantity, unit_price_cents, price_cents, discount_id)
    SELECT c.id, 'line' || n || '_' || m, 'q' || n, 'SERVICE', 'bar', m, n * 7, n * 7 * m, CASE m WHEN 2 THEN 'tenth' END
    FROM companies c, generate_series(1, ${quotes}) n, generate_series(1, 3) m;
  INSERT INTO bookings (company_id, id, quote_id, currency, total_price_cents)
    SELECT c.id, 'b' || n, 'q' || n, c.currency, n * 1000 FROM companies c, generate_series(1, 10) n;
  INSERT INTO events (company_id, id, booking_id, service_start_time, service_end_time)
    SELECT c.id, 'e' || n, 'b' || n, now(), now() + interval '5 hours' FROM companies c, generate_series(1, 10) n;
  INSERT INTO tasks (company_id, id, event_id, description)
    SELECT c.id, 't' || n, 'e' || n, 'Load the van' FROM companies c, generate_series(1, 10) n;`
