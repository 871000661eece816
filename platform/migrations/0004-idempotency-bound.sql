-- Remembered keys are bounded per account: beyond 100,000 of an area the oldest go, at the upkeep of every hour, so that no write counts them.
create function prune_idempotency(p_consumed bigint, p_limit int) returns bigint
language sql security definer set search_path from current
begin atomic
  with heavy as (
    select account_id, count(*) - 100000 as excess from idempotency group by account_id having count(*) > 100000
  ), oldest as (
    select k.ctid from heavy h cross join lateral (
      select i.ctid from idempotency i where i.account_id = h.account_id order by i.created_at limit h.excess
    ) k limit p_limit
  ), forgotten as (
    delete from idempotency where ctid = any(array(select ctid from oldest)) returning 1
  )
  select count(*) from forgotten;
end;
