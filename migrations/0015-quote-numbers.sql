-- Search by the beginning of a number needs an index in byte order. Numbers are compared without regard to case, for any script.
DROP INDEX quotes_by_number;
CREATE INDEX quotes_by_number ON quotes (company_id, (lower(number COLLATE "und-x-icu") COLLATE "C"), id) WHERE number IS NOT NULL;
