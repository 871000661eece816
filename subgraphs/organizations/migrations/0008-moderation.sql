-- What waits for moderators, in the order in which it came.
alter table organization add column verification_status text generated always as (verification ->> 'status') stored;
create index organization_verification on organization (verification_status, created_at, id) where status in ('ACTIVE', 'CLOSED');
