-- What keeps filtered pages fast whatever the number of quotes. All of it follows from quotes and service days, and
-- triggers keep it so.

-- 1. The first and last start of a quote's days: a filter by service day together with another one walks that one's
-- index, and most quotes are told apart there, without a look at their days.
ALTER TABLE quotes ADD COLUMN first_start_time timestamptz(3), ADD COLUMN last_start_time timestamptz(3);

-- 2. For the filter by service day alone: which quotes have a day in which stretch of the calendar, newest quote first.
-- Level 0 is single days (UTC, counted from the year 1), each further level stretches of 32 of the one before, up to one
-- of 2,871 years. Any range of days is a few dozen stretches (src/core/calendar-stretches.ts), and each of them is read
-- from its newest quote on. A stretch is level * 2^26 + number.
CREATE TABLE quote_stretches (
  company_id text COLLATE "C" NOT NULL,
  stretch integer NOT NULL,
  quote_created_at timestamptz(3) NOT NULL,
  quote_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (company_id, stretch, quote_created_at, quote_id)
);

CREATE FUNCTION stretches_of(start_time timestamptz) RETURNS integer[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (
  SELECT ARRAY[day, (1 << 26) + (day >> 5), (2 << 26) + (day >> 10), (3 << 26) + (day >> 15), (4 << 26) + (day >> 20)]
  FROM (SELECT (start_time AT TIME ZONE 'UTC')::date - DATE '0001-01-01' AS day) d
);

-- The days of these quotes came, changed or went: their first and last, and their stretches, are made anew.
CREATE FUNCTION follow_service_days() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    DELETE FROM quote_stretches s
    USING old_days d
    JOIN quotes q ON q.company_id = d.company_id AND q.id = d.quote_id
    CROSS JOIN unnest(stretches_of(d.service_start_time)) AS gone (stretch)
    WHERE s.company_id = d.company_id AND s.stretch = gone.stretch
      AND s.quote_created_at = q.created_at AND s.quote_id = q.id
      AND NOT EXISTS (
        SELECT FROM service_days r WHERE r.company_id = d.company_id AND r.quote_id = d.quote_id
          AND s.stretch = ANY(stretches_of(r.service_start_time)));
    UPDATE quotes q SET first_start_time = span.first, last_start_time = span.last
    FROM (
      SELECT DISTINCT d.company_id, d.quote_id,
        (SELECT min(r.service_start_time) FROM service_days r
         WHERE r.company_id = d.company_id AND r.quote_id = d.quote_id) AS first,
        (SELECT max(r.service_start_time) FROM service_days r
         WHERE r.company_id = d.company_id AND r.quote_id = d.quote_id) AS last
      FROM old_days d
    ) span
    WHERE q.company_id = span.company_id AND q.id = span.quote_id
      AND (q.first_start_time, q.last_start_time) IS DISTINCT FROM (span.first, span.last);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO quote_stretches (company_id, stretch, quote_created_at, quote_id)
    SELECT DISTINCT d.company_id, added.stretch, q.created_at, q.id
    FROM new_days d
    JOIN quotes q ON q.company_id = d.company_id AND q.id = d.quote_id
    CROSS JOIN unnest(stretches_of(d.service_start_time)) AS added (stretch)
    WHERE q.deleted_at IS NULL
    ON CONFLICT DO NOTHING;
    UPDATE quotes q
    SET first_start_time = least(q.first_start_time, span.first), last_start_time = greatest(q.last_start_time, span.last)
    FROM (
      SELECT company_id, quote_id, min(service_start_time) AS first, max(service_start_time) AS last
      FROM new_days GROUP BY company_id, quote_id
    ) span
    WHERE q.company_id = span.company_id AND q.id = span.quote_id
      AND (q.first_start_time, q.last_start_time) IS DISTINCT FROM
        (least(q.first_start_time, span.first), greatest(q.last_start_time, span.last));
  END IF;
  RETURN NULL;
END
$$;

-- A deleted quote is never listed, so it has no stretches; and they are ordered by the quote's creation.
CREATE FUNCTION follow_quotes() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed record;
BEGIN
  -- EXCEPT, since it is never carried out as a loop in a loop: there may be many quotes, and mostly none that counts.
  FOR changed IN
    SELECT company_id, id, created_at, deleted_at IS NULL AS is_listed FROM old_quotes
    EXCEPT SELECT company_id, id, created_at, deleted_at IS NULL FROM new_quotes
  LOOP
    DELETE FROM quote_stretches s
    USING service_days d, unnest(stretches_of(d.service_start_time)) AS gone (stretch)
    WHERE d.company_id = changed.company_id AND d.quote_id = changed.id
      AND s.company_id = changed.company_id AND s.stretch = gone.stretch
      AND s.quote_created_at = changed.created_at AND s.quote_id = changed.id;
    INSERT INTO quote_stretches (company_id, stretch, quote_created_at, quote_id)
    SELECT DISTINCT q.company_id, added.stretch, q.created_at, q.id
    FROM quotes q
    JOIN service_days d ON d.company_id = q.company_id AND d.quote_id = q.id
    CROSS JOIN unnest(stretches_of(d.service_start_time)) AS added (stretch)
    WHERE q.company_id = changed.company_id AND q.id = changed.id AND q.deleted_at IS NULL
    ON CONFLICT DO NOTHING;
  END LOOP;
  RETURN NULL;
END
$$;

-- What is there already, before the triggers begin.
UPDATE quotes q SET first_start_time = span.first, last_start_time = span.last
FROM (
  SELECT company_id, quote_id, min(service_start_time) AS first, max(service_start_time) AS last
  FROM service_days GROUP BY company_id, quote_id
) span
WHERE q.company_id = span.company_id AND q.id = span.quote_id;
INSERT INTO quote_stretches (company_id, stretch, quote_created_at, quote_id)
SELECT DISTINCT q.company_id, s.stretch, q.created_at, q.id
FROM quotes q
JOIN service_days d ON d.company_id = q.company_id AND d.quote_id = q.id
CROSS JOIN unnest(stretches_of(d.service_start_time)) AS s (stretch)
WHERE q.deleted_at IS NULL;

CREATE TRIGGER follow_new_days AFTER INSERT ON service_days
  REFERENCING NEW TABLE AS new_days FOR EACH STATEMENT EXECUTE FUNCTION follow_service_days();
CREATE TRIGGER follow_changed_days AFTER UPDATE ON service_days
  REFERENCING OLD TABLE AS old_days NEW TABLE AS new_days FOR EACH STATEMENT EXECUTE FUNCTION follow_service_days();
CREATE TRIGGER follow_removed_days AFTER DELETE ON service_days
  REFERENCING OLD TABLE AS old_days FOR EACH STATEMENT EXECUTE FUNCTION follow_service_days();
CREATE TRIGGER follow_changed_quotes AFTER UPDATE ON quotes
  REFERENCING OLD TABLE AS old_quotes NEW TABLE AS new_quotes FOR EACH STATEMENT EXECUTE FUNCTION follow_quotes();

-- 3. The indexes of the filters hold what else may be filtered by, and every two filters of which both may match many
-- quotes have an index together.
DROP INDEX quotes_by_creation, quotes_by_lead, quotes_by_location, quotes_by_booking, quotes_by_event_type;
CREATE INDEX quotes_by_creation ON quotes (company_id, created_at DESC, id DESC)
  INCLUDE (updated_at, first_start_time, last_start_time) WHERE deleted_at IS NULL;
CREATE INDEX quotes_by_lead ON quotes (company_id, lead_id, created_at DESC, id DESC)
  INCLUDE (updated_at, first_start_time, last_start_time) WHERE deleted_at IS NULL;
CREATE INDEX quotes_by_location ON quotes (company_id, location_id, created_at DESC, id DESC)
  INCLUDE (updated_at, first_start_time, last_start_time) WHERE deleted_at IS NULL;
CREATE INDEX quotes_by_event_type ON quotes (company_id, event_type_id, created_at DESC, id DESC)
  INCLUDE (updated_at, first_start_time, last_start_time) WHERE deleted_at IS NULL;
CREATE INDEX quotes_by_booking ON quotes (company_id, booking_id, created_at DESC, id DESC)
  INCLUDE (updated_at, first_start_time, last_start_time) WHERE deleted_at IS NULL AND booking_id IS NOT NULL;
CREATE INDEX quotes_by_lead_and_location ON quotes (company_id, lead_id, location_id, created_at DESC, id DESC)
  INCLUDE (updated_at, first_start_time, last_start_time) WHERE deleted_at IS NULL;
CREATE INDEX quotes_by_lead_and_event_type ON quotes (company_id, lead_id, event_type_id, created_at DESC, id DESC)
  INCLUDE (updated_at, first_start_time, last_start_time) WHERE deleted_at IS NULL;
CREATE INDEX quotes_by_location_and_event_type ON quotes (company_id, location_id, event_type_id, created_at DESC, id DESC)
  INCLUDE (updated_at, first_start_time, last_start_time) WHERE deleted_at IS NULL;
