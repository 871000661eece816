-- What the dashboard reads: keys found by whose they are and sorted by when they were used, what everybody asked together, and the last
-- requests of each key. All of it is bounded, and none of it is written per request.

-- Keys are found by words of their name and of their account's, and by any part of their public id. Folded once: folding 100,000 names
-- takes longer than reading them.
drop index accounts.api_key_search;               -- first: every row is about to change
alter table accounts.api_key add column search text;

create function accounts.key_search() returns trigger language plpgsql set search_path = accounts, pg_temp as $$
begin
  new.search := (select platform.fold(concat_ws(' ', new.name, new.public_id, a.name)) from account a where a.id = new.account_id);
  return new;
end $$;
create trigger key_search before insert or update of name, public_id, account_id on accounts.api_key
  for each row execute function accounts.key_search();

create function accounts.account_renamed() returns trigger language plpgsql set search_path = accounts, pg_temp as $$
begin
  -- in the one order in which keys are locked
  perform 1 from api_key where account_id = new.id order by id for no key update;
  update api_key k set search = platform.fold(concat_ws(' ', k.name, k.public_id, new.name)) where k.account_id = new.id;
  return null;
end $$;
create trigger account_renamed after update of name on accounts.account
  for each row when (old.name is distinct from new.name) execute function accounts.account_renamed();

update accounts.api_key k set search = platform.fold(concat_ws(' ', k.name, k.public_id, a.name))
  from accounts.account a where a.id = k.account_id;
create index api_key_search on accounts.api_key using gin (search platform.gin_trgm_ops);

create index api_key_name on accounts.api_key (name collate "und-x-icu", id);
create index api_key_status on accounts.api_key (status, created_at, id);
create index api_key_scopes on accounts.api_key using gin (scopes);
create index api_key_expires on accounts.api_key (expires_at) where expires_at is not null;
create index api_key_live on accounts.api_key (plan_code, plan_version) include (account_id, expires_at) where status <> 'REVOKED';
create index account_by_name on accounts.account (name collate "und-x-icu", id);
create index account_status on accounts.account (status, created_at, id);

-- When and from where a key was last used, apart from the key: it changes every few seconds and is sorted by, and each change would be
-- one of every index of the key. `last_used_at` and `last_used_address` of api_key are written no more.
create table accounts.key_use (
  key_id uuid not null,
  used_at timestamptz(3) not null,                -- -infinity: never
  address bytea                                   -- HMAC of the network, with the pepper of the month
) with (fillfactor = 70);
insert into accounts.key_use (key_id, used_at, address)
  select id, coalesce(last_used_at, '-infinity'), last_used_address from accounts.api_key;
alter table accounts.key_use add primary key (key_id), add foreign key (key_id) references accounts.api_key (id);
create index key_use_at on accounts.key_use (used_at, key_id);

create function accounts.key_unused() returns trigger language plpgsql set search_path = accounts, pg_temp as $$
begin
  insert into key_use (key_id, used_at) values (new.id, '-infinity');
  return null;
end $$;
create trigger key_unused after insert on accounts.api_key for each row execute function accounts.key_unused();

-- The sum of accounts.usage over everybody.
create table accounts.usage_total (
  granularity text not null,
  starts_at timestamptz not null,
  area text,
  status_class smallint not null,
  requests bigint not null,
  units bigint not null
) with (fillfactor = 50);
create unique index usage_total_place on accounts.usage_total (granularity, starts_at, area, status_class) nulls not distinct;
-- A flush that runs while this does may be missing from the sums, never from what anybody is told of his own.
insert into accounts.usage_total
  select granularity, starts_at, area, status_class, sum(requests), sum(units) from accounts.usage group by 1, 2, 3, 4;

-- The last requests of each key, newest first: what was asked, never with which values.
create type accounts.request as (
  at timestamptz,
  operation text,
  area text,
  status smallint,
  duration_ms int,
  request_id text
);
create table accounts.recent_request (
  public_id text primary key,
  requests accounts.request[] not null
) with (fillfactor = 70);

-- Thresholds of the windows that are open, the fullest first.
create index quota_threshold_open on accounts.quota_threshold ("window", starts_on, percent, at);

-- As before, with what the dashboard reads:
--   p_recent    {key, requests: [{at (milliseconds since 1970), operation, area, status, durationMs, requestId}]}
-- Kinds of rows are locked in the order of the statements, and the rows of a kind in one order.
drop function accounts.usage_flush(uuid, jsonb, jsonb, jsonb);
create function accounts.usage_flush(
  p_batch uuid, p_rows jsonb, p_subjects jsonb, p_keys jsonb, p_recent jsonb default '[]'
)
returns table (subject bytea, day date, day_units bigint, month date, month_units bigint)
language plpgsql security definer set search_path = accounts, pg_temp as $$
#variable_conflict use_column
begin
  perform pg_advisory_xact_lock_shared(usage_closing_lock());
  insert into usage_batch (id) values (p_batch) on conflict do nothing;
  if found then
    insert into usage_late (month, quota_subject_id, account_id, public_id, plan_code, area, sport, status_class, requests, units)
    select m.month, r.lineage, r.account, r.key, r.plan, r.area, r.sport, r.status, sum(r.requests), sum(r.units)
    from jsonb_to_recordset(p_rows) r (minute bigint, lineage uuid, account uuid, key text, plan text, area text, sport text,
        status smallint, requests bigint, units bigint)
      join closed_month m on m.month = date_trunc('month', to_timestamp(r.minute) at time zone 'UTC')::date
    group by 1, 2, 3, 4, 5, 6, 7, 8;

    insert into usage as u (granularity, starts_at, quota_subject_id, account_id, public_id, plan_code, area, sport, status_class,
      requests, units)
    select g.granularity, date_trunc(lower(g.granularity), to_timestamp(r.minute), 'UTC'), r.lineage, r.account, r.key, r.plan, r.area,
      r.sport, r.status, sum(r.requests), sum(r.units)
    from jsonb_to_recordset(p_rows) r (minute bigint, lineage uuid, account uuid, key text, plan text, area text, sport text,
        status smallint, requests bigint, units bigint)
      cross join (values ('MINUTE'), ('HOUR'), ('DAY'), ('MONTH')) g (granularity)
    where not exists (
      select from closed_month m where m.month = date_trunc('month', to_timestamp(r.minute) at time zone 'UTC')::date
    )
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9
    order by 1, 2, 3, 4, 5, 6, 7, 8, 9
    on conflict (quota_subject_id, starts_at, granularity, public_id, plan_code, area, sport, status_class, account_id)
    do update set requests = u.requests + excluded.requests, units = u.units + excluded.units;

    insert into subject_usage as u (subject, day, day_units, day_counted, month, month_units, month_counted, updated)
    select decode(s.subject, 'hex'), s.day, s."dayUnits", s."dayCounted", s.month, s."monthUnits", s."monthCounted", current_date
    from jsonb_to_recordset(p_subjects) s (subject text, day date, "dayUnits" bigint, "dayCounted" bigint, month date,
      "monthUnits" bigint, "monthCounted" bigint)
    order by 1
    on conflict (subject) do update set
      day = greatest(u.day, excluded.day),
      day_units = case when excluded.day > u.day then excluded.day_units
        when excluded.day = u.day then u.day_units + excluded.day_units else u.day_units end,
      day_counted = case when excluded.day > u.day then excluded.day_counted
        when excluded.day = u.day then greatest(u.day_counted, excluded.day_counted) else u.day_counted end,
      month = greatest(u.month, excluded.month),
      month_units = case when excluded.month > u.month then excluded.month_units
        when excluded.month = u.month then u.month_units + excluded.month_units else u.month_units end,
      month_counted = case when excluded.month > u.month then excluded.month_counted
        when excluded.month = u.month then greatest(u.month_counted, excluded.month_counted) else u.month_counted end,
      updated = excluded.updated;

    with reached as (
      select k.id, k.version, k.account_id, k.quota_subject_id, k.public_id, w.name, w.starts_on, w.used, w.allowed, t.percent
      from jsonb_to_recordset(p_subjects) s (subject text, key text, day date, month date, "perDay" bigint, "perMonth" bigint)
        join subject_usage u on u.subject = decode(s.subject, 'hex')
        join api_key k on k.public_id = s.key
        cross join lateral (values
          ('DAY', s.day, u.day = s.day, greatest(u.day_units, u.day_counted), s."perDay"),
          ('MONTH', s.month, u.month = s.month, greatest(u.month_units, u.month_counted), s."perMonth")
        ) w (name, starts_on, is_open, used, allowed)
        cross join (values (50::smallint), (80::smallint), (100::smallint)) t (percent)
      where w.is_open and w.used * 100 >= w.allowed * t.percent and not exists (
        select from quota_threshold q where q.quota_subject_id = k.quota_subject_id and q."window" = w.name
          and q.starts_on = w.starts_on and q.percent = t.percent)
      order by k.quota_subject_id, w.name, w.starts_on, t.percent
    ), fresh as (
      insert into quota_threshold (quota_subject_id, "window", starts_on, percent)
      select r.quota_subject_id, r.name, r.starts_on, r.percent from reached r on conflict do nothing
      returning quota_subject_id, "window", starts_on, percent
    )
    insert into outbox (type, resource_type, resource_id, version, account_id, data)
    select 'quota.threshold_reached', 'api_key', r.id, r.version, r.account_id, jsonb_build_object('publicId', r.public_id,
      'window', r.name, 'startsOn', r.starts_on, 'percent', r.percent, 'used', r.used, 'limit', r.allowed)
    from fresh f join reached r on r.quota_subject_id = f.quota_subject_id and r.name = f."window" and r.starts_on = f.starts_on
      and r.percent = f.percent
    order by r.percent;

    insert into key_use as u (key_id, used_at, address)
    select distinct on (k.id) k.id, to_timestamp(p.at / 1000), decode(p.address, 'hex')
    from jsonb_to_recordset(p_keys) p (key text, at float8, address text) join api_key k on k.public_id = p.key
    order by k.id, p.at desc
    on conflict (key_id) do update set used_at = excluded.used_at, address = excluded.address where u.used_at < excluded.used_at;

    insert into recent_request as r (public_id, requests)
    select p.key, array_agg(row(to_timestamp(q.at / 1000), q.operation, q.area, q.status, q."durationMs", q."requestId")::request
      order by q.at desc)
    from jsonb_to_recordset(p_recent) p (key text, requests jsonb), jsonb_to_recordset(p.requests) q (at float8, operation text, area text,
      status smallint, "durationMs" int, "requestId" text)
    group by p.key order by p.key
    on conflict (public_id) do update set requests = (excluded.requests || r.requests)[:50];

    -- last, so that what every flush writes is locked for no longer than a commit takes
    insert into usage_total as t (granularity, starts_at, area, status_class, requests, units)
    select g.granularity, date_trunc(lower(g.granularity), m.starts_at, 'UTC'), m.area, m.status, sum(m.requests), sum(m.units)
    from (
      select to_timestamp(r.minute) as starts_at, r.area, r.status, sum(r.requests) as requests, sum(r.units) as units
      from jsonb_to_recordset(p_rows) r (minute bigint, area text, status smallint, requests bigint, units bigint)
      where not exists (
        select from closed_month c where c.month = date_trunc('month', to_timestamp(r.minute) at time zone 'UTC')::date
      )
      group by 1, 2, 3
    ) m cross join (values ('MINUTE'), ('HOUR'), ('DAY'), ('MONTH')) g (granularity)
    group by 1, 2, 3, 4
    order by 1, 2, 3, 4
    on conflict (granularity, starts_at, area, status_class)
    do update set requests = t.requests + excluded.requests, units = t.units + excluded.units;
  end if;

  return query select u.subject, u.day, u.day_units, u.month, u.month_units from subject_usage u
    where u.subject in (select decode(s ->> 'subject', 'hex') from jsonb_array_elements(p_subjects) s)
      and (u.day_units > u.day_counted or u.month_units > u.month_counted);
end $$;
revoke all on function accounts.usage_flush(uuid, jsonb, jsonb, jsonb, jsonb) from public;

-- As before, with the sums: kept as long as what they are of.
create or replace function accounts.prune_usage(p_consumed bigint, p_limit int) returns bigint
language plpgsql security definer set search_path = accounts, pg_temp as $$
declare
  gone bigint;
  total bigint := 0;
begin
  delete from usage_minute where ctid = any(array(
    select ctid from usage_minute where starts_at < clock_timestamp() - interval '2 days' order by starts_at limit p_limit));
  get diagnostics gone = row_count;
  total := total + gone;
  delete from usage_hour where ctid = any(array(
    select ctid from usage_hour where starts_at < clock_timestamp() - interval '35 days' order by starts_at limit p_limit));
  get diagnostics gone = row_count;
  total := total + gone;
  delete from usage_day where ctid = any(array(
    select ctid from usage_day where starts_at < clock_timestamp() - interval '400 days' order by starts_at limit p_limit));
  get diagnostics gone = row_count;
  total := total + gone;
  delete from usage_total where ctid = any(array(
    select ctid from usage_total where starts_at < clock_timestamp() - case granularity when 'MINUTE' then interval '2 days'
      when 'HOUR' then interval '35 days' when 'DAY' then interval '400 days' end limit p_limit));
  get diagnostics gone = row_count;
  return total + gone;
end $$;
