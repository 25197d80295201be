-- The history of a quote or contact also shows entries of the audit log.
CREATE INDEX audit_entries_by_subject ON audit_entries (company_id, subject_object, subject_id, created_at DESC, id DESC);
