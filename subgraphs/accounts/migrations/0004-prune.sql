-- Counters whose windows are all over are worth no more than none; addresses get new ones each month.
create index quota_counter_updated on accounts.quota_counter (updated);

-- Deletes counters that were not used for two months. Returns how many, at most p_limit.
create function accounts.prune_counters(p_consumed bigint, p_limit int) returns bigint
language sql security definer set search_path = accounts, pg_temp
begin atomic
  with old as (
    select subject from accounts.quota_counter where updated < current_date - 62 limit p_limit for update skip locked
  ), gone as (
    delete from accounts.quota_counter where subject = any(array(select subject from old)) returning 1
  )
  select count(*) from gone;
end;
