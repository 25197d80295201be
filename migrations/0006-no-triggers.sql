-- Removes all triggers. The statements that change rows now also write the data derived from them: the calendar stretches and
-- the first and last start times of quotes, and the end of sessions. docs/adr/0017-no-triggers.md explains why, and what
-- processes of the previous release leave to repair if they write after this migration.

-- Dropping a trigger locks out readers. All locks come first, and nothing below takes long.
LOCK TABLE users, sessions, quotes, service_days IN ACCESS EXCLUSIVE MODE;

DROP TRIGGER follow_new_days ON service_days;
DROP TRIGGER follow_changed_days ON service_days;
DROP TRIGGER follow_removed_days ON service_days;
DROP TRIGGER follow_truncated_days ON service_days;
DROP TRIGGER follow_changed_quotes ON quotes;
DROP TRIGGER follow_removed_quotes ON quotes;
DROP TRIGGER users_end_sessions ON users;

-- stretches_of stays: statements use it.
DROP FUNCTION follow_service_days(), follow_quotes(), follow_removed_quotes(), follow_no_days(), end_sessions(),
  with_starts(text), adding_stretches(text), adding_missing_stretches(text), removing_stretches(text);

-- SHA-256 of the password hash that the session began with. A session whose user has another password is invalid, even if
-- the change of the password did not end it. Null for sessions that the previous release creates.
ALTER TABLE sessions ADD COLUMN password_digest text COLLATE "C";
UPDATE sessions s SET password_digest = encode(sha256(convert_to(u.password_hash, 'UTF8')), 'hex')
FROM users u WHERE u.company_id = s.company_id AND u.id = s.user_id;
