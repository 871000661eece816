-- The sender of webhooks runs under the lease of the relay.
drop table webhook_lease;
