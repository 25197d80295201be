-- What keeps filtered pages fast whatever the number of quotes. All of it follows from quotes and service days, and
-- triggers keep it so.

-- 1. The first and last start of a quote's days: a filter by service day together with another one walks that one's
-- index, and most quotes are told apart there, without a look at their days.
-- Nobody may write either table until the triggers are there. Readers wait, too: about a minute for 200,000 quotes.
LOCK TABLE quotes, service_days IN ACCESS EXCLUSIVE MODE;
ALTER TABLE quotes ADD COLUMN first_start_time timestamptz(3), ADD COLUMN last_start_time timestamptz(3);
-- The days of a quote are looked for by the quote; a plan that looked for them by their start would go through all of
-- the range for each quote.
DROP INDEX service_days_by_start;
-- These are made anew below; until then every changed row would have to be entered.
DROP INDEX quotes_by_creation, quotes_by_lead, quotes_by_location, quotes_by_booking, quotes_by_event_type;

-- 2. For the filter by service day alone: which quotes have a day in which stretch of the calendar, newest quote first.
-- Level 0 is single days (UTC, counted from the year 1), each further level stretches of 32 of the one before, up to one
-- of 2,871 years. Any range of days is a few dozen stretches (src/core/schedule/calendar-stretches.ts), and each of them is read
-- from its newest quote on. A stretch is level * 2^26 + number.
CREATE TABLE quote_stretches (
  company_id text COLLATE "C" NOT NULL,
  stretch integer NOT NULL,
  quote_created_at timestamptz(3) NOT NULL,
  quote_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (company_id, stretch, quote_created_at, quote_id)
);

-- One expression without a query in it, so that the planner puts it in the place of the call: with a million days that
-- saves seconds.
CREATE FUNCTION stretches_of(start_time timestamptz) RETURNS integer[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ARRAY[
  (start_time AT TIME ZONE 'UTC')::date - DATE '0001-01-01',
  (1 << 26) + (((start_time AT TIME ZONE 'UTC')::date - DATE '0001-01-01') >> 5),
  (2 << 26) + (((start_time AT TIME ZONE 'UTC')::date - DATE '0001-01-01') >> 10),
  (3 << 26) + (((start_time AT TIME ZONE 'UTC')::date - DATE '0001-01-01') >> 15),
  (4 << 26) + (((start_time AT TIME ZONE 'UTC')::date - DATE '0001-01-01') >> 20)
];

-- The triggers take all rows of a statement at once, be it one row or a million. They use EXECUTE, so that each of their
-- statements is planned for as many as there are, and bring rows together only by whole keys, EXCEPT and DISTINCT:
-- nothing of that is carried out as a loop in a loop. (It would be if a table looked nearly empty to the planner, as one
-- without statistics does behind a condition such as "deleted_at IS NULL": hence the CASE.)

-- The rows of a query (company_id, quote_id and more), each with every start of a day of its quote, or null when there is
-- none. OFFSET keeps it one look-up by quote each.
CREATE FUNCTION with_starts(quotes text) RETURNS text LANGUAGE sql IMMUTABLE
RETURN format('
  SELECT d.*, r.service_start_time FROM (%s) d LEFT JOIN LATERAL (
    SELECT service_start_time FROM service_days
    WHERE company_id = d.company_id AND quote_id = d.quote_id OFFSET 0) r ON true', quotes);

-- The statement that adds the stretches a query finds (company_id, stretch, quote_created_at, quote_id). In the order of
-- the key, and without ON CONFLICT: both at once are four times as fast with many rows.
CREATE FUNCTION adding_stretches(found text) RETURNS text LANGUAGE sql IMMUTABLE
RETURN format('
  INSERT INTO quote_stretches (company_id, stretch, quote_created_at, quote_id)
  SELECT * FROM (SELECT DISTINCT * FROM (%s) f) a (company_id, stretch, created_at, id)
  WHERE NOT EXISTS (
    SELECT FROM quote_stretches s
    WHERE s.company_id = a.company_id AND s.stretch = a.stretch
      AND s.quote_created_at = a.created_at AND s.quote_id = a.id)
  ORDER BY 1, 2, 3, 4', found);

-- The same when somebody else was adding some of them just then.
CREATE FUNCTION adding_missing_stretches(found text) RETURNS text LANGUAGE sql IMMUTABLE
RETURN format('
  INSERT INTO quote_stretches (company_id, stretch, quote_created_at, quote_id)
  SELECT DISTINCT * FROM (%s) f ORDER BY 1, 2, 3, 4 ON CONFLICT DO NOTHING', found);

CREATE FUNCTION removing_stretches(found text) RETURNS text LANGUAGE sql IMMUTABLE
RETURN format('
  DELETE FROM quote_stretches s USING (%s) f (company_id, stretch, created_at, id)
  WHERE s.company_id = f.company_id AND s.stretch = f.stretch
    AND s.quote_created_at = f.created_at AND s.quote_id = f.id', found);

-- Days came, changed or went: the stretches of their quotes follow, and the first and last start of each.
CREATE FUNCTION follow_service_days() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  went text := CASE TG_OP
    WHEN 'DELETE' THEN 'SELECT company_id, quote_id, service_start_time FROM old_days'
    WHEN 'UPDATE' THEN 'SELECT company_id, quote_id, service_start_time FROM old_days
      EXCEPT SELECT company_id, quote_id, service_start_time FROM new_days'
  END;
  came text := CASE TG_OP
    WHEN 'INSERT' THEN 'SELECT company_id, quote_id, service_start_time FROM new_days'
    WHEN 'UPDATE' THEN 'SELECT company_id, quote_id, service_start_time FROM new_days
      EXCEPT SELECT company_id, quote_id, service_start_time FROM old_days'
  END;
  staying text := with_starts(format('SELECT DISTINCT company_id, quote_id FROM (%s) w', went));
  found text;
BEGIN
  -- One writer of a quote's days after the other: each then sees what the one before left. Quotes that this transaction
  -- made itself nobody else can see.
  EXECUTE format('
    SELECT FROM quotes q JOIN (SELECT DISTINCT company_id, quote_id FROM (%s) c) d
      ON q.company_id = d.company_id AND q.id = d.quote_id
    WHERE q.xmin <> pg_current_xact_id()::xid
    ORDER BY q.company_id, q.id FOR NO KEY UPDATE OF q', concat_ws(' UNION ', '(' || went || ')', '(' || came || ')'));
  IF went IS NOT NULL THEN
    -- But for those in which another day of the same quote lies.
    EXECUTE removing_stretches(format('
      SELECT q.company_id, x.stretch, q.created_at, q.id FROM (%1$s) d
      JOIN quotes q ON q.company_id = d.company_id AND q.id = d.quote_id
      CROSS JOIN unnest(stretches_of(d.service_start_time)) x (stretch)
      EXCEPT
      SELECT q.company_id, x.stretch, q.created_at, q.id FROM (%2$s) d
      JOIN quotes q ON q.company_id = d.company_id AND q.id = d.quote_id
      CROSS JOIN unnest(stretches_of(d.service_start_time)) x (stretch)', went, staying));
    EXECUTE format('
      UPDATE quotes q SET first_start_time = span.first, last_start_time = span.last
      FROM (
        SELECT company_id, quote_id, min(service_start_time) AS first, max(service_start_time) AS last
        FROM (%s) s GROUP BY company_id, quote_id
      ) span
      WHERE q.company_id = span.company_id AND q.id = span.quote_id
        AND (q.first_start_time, q.last_start_time) IS DISTINCT FROM (span.first, span.last)', staying);
  END IF;
  IF came IS NOT NULL THEN
    found := format('
      SELECT q.company_id, x.stretch, q.created_at, q.id FROM (%s) d
      JOIN quotes q ON q.company_id = d.company_id AND q.id = d.quote_id
      CROSS JOIN unnest(CASE WHEN q.deleted_at IS NULL THEN stretches_of(d.service_start_time) END) x (stretch)', came);
    BEGIN
      EXECUTE adding_stretches(found);
    EXCEPTION WHEN unique_violation THEN
      EXECUTE adding_missing_stretches(found);
    END;
    EXECUTE format('
      UPDATE quotes q SET
        first_start_time = least(q.first_start_time, span.first),
        last_start_time = greatest(q.last_start_time, span.last)
      FROM (
        SELECT company_id, quote_id, min(service_start_time) AS first, max(service_start_time) AS last
        FROM (%s) c GROUP BY company_id, quote_id
      ) span
      WHERE q.company_id = span.company_id AND q.id = span.quote_id
        AND (q.first_start_time, q.last_start_time) IS DISTINCT FROM
          (least(q.first_start_time, span.first), greatest(q.last_start_time, span.last))', came);
  END IF;
  RETURN NULL;
END
$$;

-- A deleted quote is never listed, so it has no stretches; and they are ordered by the quote's creation. Mostly none of
-- the quotes changed in that.
CREATE FUNCTION follow_quotes() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  facts CONSTANT text := 'SELECT company_id, id AS quote_id, created_at, deleted_at IS NULL AS is_listed FROM';
  stretches CONSTANT text := '
    SELECT DISTINCT d.company_id, x.stretch, d.created_at, d.quote_id FROM (%s) d
    CROSS JOIN unnest(stretches_of(d.service_start_time)) x (stretch)
    WHERE d.is_listed AND d.service_start_time IS NOT NULL';
  added text := format(stretches, with_starts(format('%1$s new_quotes EXCEPT %1$s old_quotes', facts)));
BEGIN
  EXECUTE removing_stretches(
    format(stretches, with_starts(format('%1$s old_quotes EXCEPT %1$s new_quotes', facts))));
  BEGIN
    EXECUTE adding_stretches(added);
  EXCEPTION WHEN unique_violation THEN
    EXECUTE adding_missing_stretches(added);
  END;
  RETURN NULL;
END
$$;

-- Its days are gone as well, or the database would not let it go.
CREATE FUNCTION follow_removed_quotes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM quote_stretches s USING old_quotes q
  WHERE s.company_id = q.company_id AND s.quote_created_at = q.created_at AND s.quote_id = q.id;
  RETURN NULL;
END
$$;

-- Without days there is nothing to follow from.
CREATE FUNCTION follow_no_days() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM quote_stretches;
  UPDATE quotes SET first_start_time = NULL, last_start_time = NULL WHERE first_start_time IS NOT NULL;
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
WHERE q.deleted_at IS NULL
ORDER BY 1, 2, 3, 4;

CREATE TRIGGER follow_new_days AFTER INSERT ON service_days
  REFERENCING NEW TABLE AS new_days FOR EACH STATEMENT EXECUTE FUNCTION follow_service_days();
CREATE TRIGGER follow_changed_days AFTER UPDATE ON service_days
  REFERENCING OLD TABLE AS old_days NEW TABLE AS new_days FOR EACH STATEMENT EXECUTE FUNCTION follow_service_days();
CREATE TRIGGER follow_removed_days AFTER DELETE ON service_days
  REFERENCING OLD TABLE AS old_days FOR EACH STATEMENT EXECUTE FUNCTION follow_service_days();
CREATE TRIGGER follow_truncated_days AFTER TRUNCATE ON service_days
  FOR EACH STATEMENT EXECUTE FUNCTION follow_no_days();
CREATE TRIGGER follow_changed_quotes AFTER UPDATE ON quotes
  REFERENCING OLD TABLE AS old_quotes NEW TABLE AS new_quotes FOR EACH STATEMENT EXECUTE FUNCTION follow_quotes();
CREATE TRIGGER follow_removed_quotes AFTER DELETE ON quotes
  REFERENCING OLD TABLE AS old_quotes FOR EACH STATEMENT EXECUTE FUNCTION follow_removed_quotes();

-- 3. The indexes of the filters hold what else may be filtered by, and every two filters of which both may match many
-- quotes have an index together.
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
