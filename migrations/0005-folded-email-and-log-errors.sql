-- Emails are compared without the case of the letters A to Z, and of no others. lower(email) alone follows the locale of the
-- database: in C.UTF-8 it takes "İ" for "i", in Turkish "I" for "ı". The same rule is foldEmail in src/core/security/email.ts.

-- Writers wait while the index is built, readers do not.
LOCK TABLE users IN SHARE MODE;

-- users_by_email stays for processes of the previous release; the next release drops it.
CREATE INDEX users_by_folded_email ON users (lower(email COLLATE "C"));

-- The request log keeps why a request failed: the error's code, message and parameter, as in the response. Null for requests
-- that succeeded and for rows that the previous release writes. This comes last, so that readers of the log do not wait
-- while the index is built.
ALTER TABLE request_log
  ADD COLUMN error_code text,
  ADD COLUMN error_message text,
  ADD COLUMN error_param text;
