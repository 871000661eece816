-- What nobody needs any more, in every area's schema. The relay runs each area's functions named prune_* (platform/upkeep.ts).
create index outbox_at on outbox (at) where position is not null;

-- Deletes remembered keys after their 24 hours, and events after 30 days when every consumer has had them (p_consumed).
-- The last event stays: positions count on from it. Returns how many rows went, at most p_limit of each kind.
create function prune_written(p_consumed bigint, p_limit int) returns bigint
language sql security definer set search_path from current
begin atomic
  with old_key as (
    select ctid from idempotency where created_at < now() - interval '24 hours' limit p_limit for update skip locked
  ), forgotten as (
    delete from idempotency where ctid = any(array(select ctid from old_key)) returning 1
  ), old_event as (
    select id from outbox where at < now() - interval '30 days' and position <= p_consumed
      and position < (select max(position) from outbox) limit p_limit for update skip locked
  ), told as (
    delete from outbox where id = any(array(select id from old_event)) returning 1
  )
  select (select count(*) from forgotten) + (select count(*) from told);
end;
