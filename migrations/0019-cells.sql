-- Companies that move to another cell. While moving_to is set, the company is read, but not written: every write locks this row or
-- checks it (src/records/change/record.ts). `quoting companies move` sets it, and removes the row with the company. moved_from is set in
-- the copy until the company is removed from its old cell, so that an interrupted move recognizes its own copy.
ALTER TABLE change_counters ADD COLUMN moving_to text, ADD COLUMN moved_from text;
