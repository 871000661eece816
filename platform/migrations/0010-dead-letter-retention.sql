-- Dead letters are deleted 90 days after their last failure: then the projection of the resource is repaired by its next event only.
create index dead_letter_age on dead_letter (failed_at);

-- Deletes old dead letters, except those with a requested retry. Returns the number of rows.
create function prune_dead_letters(p_consumed bigint, p_limit int) returns bigint
language sql security definer set search_path from current
begin atomic
  with old as (
    select ctid from dead_letter where failed_at < now() - interval '90 days' and not retry
    order by failed_at limit p_limit for update skip locked
  ), deleted as (
    delete from dead_letter where ctid = any(array(select ctid from old)) returning 1
  )
  select count(*) from deleted;
end;
