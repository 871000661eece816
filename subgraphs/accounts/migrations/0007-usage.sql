-- Metering: what was asked, by whom and with what outcome, as the routers tell it every few seconds; months that are closed, and what
-- was told too late for them. The money of a statement comes from plan_held, so nothing here decides a price.

-- Held shared by every flush and alone by whoever closes a month: no flush is half in a month that closes.
create function accounts.usage_closing_lock() returns bigint language sql immutable return 7105114102;

create table accounts.usage (
  granularity text not null,
  starts_at timestamptz not null,
  quota_subject_id uuid,                          -- the lineage of the key; null: without a key, or with one that was refused
  account_id uuid,
  public_id text,
  plan_code text,                                 -- null where no plan was known: the database was away
  area text,                                      -- of the root field; null: none, or several
  sport text,                                     -- of the host; null: the main one
  status_class smallint not null check (status_class between 2 and 5),
  requests bigint not null check (requests >= 0),
  units bigint not null check (units >= 0)        -- of the quota: what was charged less what was given back
) partition by list (granularity);
create table accounts.usage_minute partition of accounts.usage for values in ('MINUTE');
create table accounts.usage_hour partition of accounts.usage for values in ('HOUR');
create table accounts.usage_day partition of accounts.usage for values in ('DAY');
create table accounts.usage_month partition of accounts.usage for values in ('MONTH');
create unique index usage_place on accounts.usage
  (quota_subject_id, starts_at, granularity, public_id, plan_code, area, sport, status_class, account_id) nulls not distinct;
create index usage_account on accounts.usage (account_id, starts_at) where account_id is not null;
create index usage_starts on accounts.usage (starts_at);

-- Batches that were counted: a router repeats one until it knows its fate.
create table accounts.usage_batch (
  id uuid primary key,
  at timestamptz not null default now()
);
create index usage_batch_at on accounts.usage_batch (at);

create table accounts.closed_month (
  month date primary key check (extract(day from month) = 1),
  closed_at timestamptz(3) not null default now()
);

-- What was told after its month had closed; the next statement of the account names it.
create table accounts.usage_late (
  id uuid primary key default uuidv7(),
  month date not null,
  quota_subject_id uuid,
  account_id uuid,
  public_id text,
  plan_code text,
  area text,
  sport text,
  status_class smallint not null,
  requests bigint not null,
  units bigint not null,
  told_at timestamptz(3) not null default now(),
  named_on date                                   -- month of the statement that names it
);
create index usage_late_unnamed on accounts.usage_late (account_id) where named_on is null and account_id is not null;

create table accounts.statement (
  id uuid primary key default uuidv7(),
  account_id uuid not null references accounts.account (id),
  month date not null,
  requests bigint not null,
  units bigint not null,
  late_requests bigint not null,
  late_units bigint not null,
  closed_at timestamptz(3) not null default now(),
  unique (account_id, month)
);
create table accounts.statement_line (
  statement_id uuid not null references accounts.statement (id),
  quota_subject_id uuid not null,
  name text not null,                             -- of the lineage's newest key when the month closed
  public_id text not null,
  plan_code text not null,
  plan_version int not null,
  amount_minor bigint not null,
  currency text not null,
  requests bigint not null,
  units bigint not null,
  primary key (statement_id, quota_subject_id)
);

-- Thresholds that were told of, each once: of a lineage, in a window, in percent of the limit.
create table accounts.quota_threshold (
  quota_subject_id uuid not null,
  "window" text not null check ("window" in ('DAY', 'MONTH')),
  starts_on date not null,
  percent smallint not null,
  at timestamptz not null default now(),
  primary key (quota_subject_id, "window", starts_on, percent)
);
create index quota_threshold_at on accounts.quota_threshold (at);

alter table accounts.api_key add column last_used_address bytea;   -- HMAC of the network, with the pepper of the month

-- Closed is closed, for everybody: only what has been kept long enough goes, and a month for good stays.
create function accounts.refuse_closed() returns trigger language plpgsql set search_path = accounts, pg_temp as $$
declare
  touched timestamptz := case when tg_op = 'INSERT' then new.starts_at else old.starts_at end;
begin
  if tg_op = 'DELETE' and old.starts_at < (clock_timestamp() - case old.granularity when 'MINUTE' then interval '2 days'
    when 'HOUR' then interval '35 days' when 'DAY' then interval '400 days' end) then return old; end if;
  if exists (select from closed_month m where m.month = date_trunc('month', touched at time zone 'UTC')::date)
    or tg_op = 'UPDATE' and new.starts_at <> old.starts_at
  then
    raise exception 'The usage of a closed month does not change.' using errcode = 'restrict_violation';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end $$;
create trigger usage_closed before insert or update or delete on accounts.usage
  for each row execute function accounts.refuse_closed();

create function accounts.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'What a closed month says does not change.' using errcode = 'restrict_violation';
end $$;
create trigger closed_month_stays before update or delete on accounts.closed_month
  for each row execute function accounts.refuse_change();
create trigger statement_stays before update or delete on accounts.statement
  for each row execute function accounts.refuse_change();
create trigger statement_line_stays before update or delete on accounts.statement_line
  for each row execute function accounts.refuse_change();
create function accounts.refuse_statement() returns trigger language plpgsql set search_path = accounts, pg_temp as $$
begin
  if exists (
    select from closed_month m where m.month = (case tg_table_name when 'statement' then (to_jsonb(new) ->> 'month')::date
      else (select s.month from statement s where s.id = (to_jsonb(new) ->> 'statement_id')::uuid) end)
  ) then
    raise exception 'The month of this statement is closed.' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger statement_in_time before insert on accounts.statement for each row execute function accounts.refuse_statement();
create trigger statement_line_in_time before insert on accounts.statement_line
  for each row execute function accounts.refuse_statement();

-- Counts a batch once, however often it is sent, and answers the subjects whose counter was never seen as high as what was told of them.
--   p_rows      {minute (seconds since 1970), lineage, account, key, plan, area, sport, status, requests, units}
--   p_subjects  {subject (hex), key, day, dayUnits, dayCounted, month, monthUnits, monthCounted, perDay, perMonth}
--   p_keys      {key, at (milliseconds since 1970), address (hex)}
-- Rows are locked in one order by everybody, so that routers never deadlock.
create function accounts.usage_flush(p_batch uuid, p_rows jsonb, p_subjects jsonb, p_keys jsonb)
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

    perform 1 from api_key where public_id in (select k ->> 'key' from jsonb_array_elements(p_keys) k) order by id for no key update;
    update api_key k set last_used_at = to_timestamp(u.at / 1000), last_used_address = decode(u.address, 'hex')
    from jsonb_to_recordset(p_keys) u (key text, at float8, address text)
    where k.public_id = u.key and (k.last_used_at is null or k.last_used_at < to_timestamp(u.at / 1000));
  end if;

  return query select u.subject, u.day, u.day_units, u.month, u.month_units from subject_usage u
    where u.subject in (select decode(s ->> 'subject', 'hex') from jsonb_array_elements(p_subjects) s)
      and (u.day_units > u.day_counted or u.month_units > u.month_counted);
end $$;
revoke all on function accounts.usage_flush(uuid, jsonb, jsonb, jsonb) from public;

-- Minutes are kept two days, hours 35, days 400, months for good. Each returns how many rows went, at most p_limit of each kind.
create function accounts.prune_usage(p_consumed bigint, p_limit int) returns bigint
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
  return total + gone;
end $$;

-- What is remembered beside them: batches for a week, thresholds as long as their windows, subjects as long as their counters.
create function accounts.prune_metering(p_consumed bigint, p_limit int) returns bigint
language sql security definer set search_path = accounts, pg_temp
begin atomic
  with batch as (
    delete from accounts.usage_batch where id in (
      select id from accounts.usage_batch where at < clock_timestamp() - interval '7 days' limit p_limit) returning 1
  ), threshold as (
    delete from accounts.quota_threshold where ctid = any(array(
      select ctid from accounts.quota_threshold where at < clock_timestamp() - interval '62 days' limit p_limit)) returning 1
  ), old as (
    select subject from accounts.subject_usage where updated < current_date - 62 limit p_limit for update skip locked
  ), gone as (
    delete from accounts.subject_usage where subject = any(array(select subject from old)) returning 1
  )
  select (select count(*) from batch) + (select count(*) from threshold) + (select count(*) from gone);
end;
