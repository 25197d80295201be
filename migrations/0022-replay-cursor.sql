-- A replay is worked off in batches: the endpoint follows the change log from this change on, apart from the others of the company,
-- until it has caught up (docs/adr/0027). A process of the release before would create deliveries of new changes meanwhile, which
-- come twice then, with the same webhook-id.
ALTER TABLE webhook_endpoints ADD COLUMN replay_cursor bigint;
CREATE INDEX webhook_endpoints_replaying ON webhook_endpoints (company_id) WHERE replay_cursor IS NOT NULL;
