-- The events of all areas in one order, for the feed. Rows are inserted under a lock, so that a larger sequence is never visible before a smaller one.
create table event (
  sequence bigint primary key,
  id uuid not null unique,                        -- of the event in its area's outbox
  type text not null,
  area text not null,
  resource_type text not null,
  resource_id uuid not null,
  version int not null,
  at timestamptz(3) not null,
  account_id uuid,
  audience uuid[] not null,
  subject_id uuid,
  sports text[] not null,
  competition_id uuid,
  organization_id uuid,
  was_public boolean not null
);
-- what only named accounts can read: a feed skips the events of other accounts without reading them
create index event_account on event (account_id, sequence);
create index event_audience on event using gin (audience) where audience <> '{}';
create index event_subject on event (sequence) where subject_id is not null;
create index event_at on event (at);

-- Deletes events after 30 days. The last one stays: sequences count on from it.
create function prune_events(p_consumed bigint, p_limit int) returns bigint
language sql security definer set search_path from current
begin atomic
  with old as (
    select sequence from event where at < now() - interval '30 days' and sequence < (select max(sequence) from event)
    order by at limit p_limit for update skip locked
  ), deleted as (
    delete from event where sequence = any(array(select sequence from old)) returning 1
  )
  select count(*) from deleted;
end;
