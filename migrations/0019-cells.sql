-- Companies that move to another cell. While it is set, the company is read, but not written: every write locks this row or checks it
-- (src/records/change/record.ts). `quoting companies move` sets it, and removes the row with the company.
ALTER TABLE change_counters ADD COLUMN moving_to text;
