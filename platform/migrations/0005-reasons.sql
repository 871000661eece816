-- Erasure takes the reasons out of what was told of somebody: few events have one, among all of thirty days.
create index outbox_reason on outbox (resource_type, resource_id) where data ? 'reason';
