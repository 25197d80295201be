-- A list of open tasks reads no completed ones, and the other way round, however many there are.
CREATE INDEX tasks_by_completion ON tasks (company_id, (completed_at IS NULL), created_at DESC, id DESC);
