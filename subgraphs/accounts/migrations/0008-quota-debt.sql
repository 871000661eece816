-- What routers admitted while the store was away is owed to the counters; a counter elsewhere that is not there is filled from what is
-- known here; one that is behind what routers told is raised.

-- The clock of the counters, by itself so that tests can step it. PostgreSQL puts the expression in the place of the call.
create function accounts.quota_now() returns timestamptz language sql volatile return clock_timestamp();

-- As before, by that clock.
create or replace function accounts.quota_take(
  p_subject bytea, p_charge text, p_want int, p_per_day bigint, p_per_month bigint, p_burst_per_minute int,
  out granted int, out day date, out day_used bigint, out month date, out month_used bigint,
  out burst_left int, out burst_wait_ms float8, out clock timestamptz
) language plpgsql as $$
declare
  minute_us constant float8 := 60000000;
  counter accounts.quota_counter;
  today date;
  this_month date;
  room bigint := p_want;
  burst_spent int := 0;
  burst_base timestamptz;
  backlog_us float8;
begin
  loop
    select * into counter from accounts.quota_counter q where q.subject = p_subject for update;
    exit when found;
    insert into accounts.quota_counter values (p_subject, 'epoch', 0, 0, 'epoch', 0, 'epoch', current_date) on conflict do nothing;
  end loop;
  clock := accounts.quota_now();
  today := (clock at time zone 'UTC')::date;
  this_month := date_trunc('month', today)::date;
  -- A window never goes backwards; only dates that a wrong, since repaired clock left in the future do, and they keep their count.
  if counter.day > today + 1 then counter.day := today;
  elsif today > counter.day then counter.day := today; counter.day_used := 0; counter.day_refunded := 0;
  end if;
  if counter.month > this_month + 31 then counter.month := this_month;
  elsif this_month > counter.month then counter.month := this_month; counter.month_used := 0;
  end if;
  -- The backlog of the burst is at most one minute: more is the trace of such a clock.
  burst_base := least(greatest(counter.burst_full_at, clock), clock + interval '1 minute');
  backlog_us := extract(epoch from burst_base - clock)::float8 * 1000000;
  burst_left := floor((minute_us - backlog_us) * p_burst_per_minute / minute_us);

  if p_charge in ('EACH', 'TOGETHER', 'MORE') then
    room := least(room, p_per_day - counter.day_used, p_per_month - counter.month_used);
  end if;
  if p_charge in ('TOGETHER', 'MORE') then
    granted := case when room >= p_want and (p_charge = 'MORE' or burst_left >= 1) then p_want else 0 end;
    if p_charge = 'TOGETHER' and granted > 0 then burst_spent := 1; end if;
  else
    granted := greatest(0, least(room, burst_left));
    burst_spent := granted;
  end if;

  day := counter.day;
  month := counter.month;
  day_used := counter.day_used + case when p_charge = 'BURST_ONLY' then 0 else granted end;
  month_used := counter.month_used + case when p_charge = 'BURST_ONLY' then 0 else granted end;
  -- Rounded down to the clock's microseconds: rounded up, 900 a minute would be 899.
  backlog_us := backlog_us + floor(burst_spent * minute_us / p_burst_per_minute);
  burst_left := burst_left - burst_spent;
  burst_wait_ms := case when burst_left >= 1 then 0 else (backlog_us - minute_us + minute_us / p_burst_per_minute) / 1000 end;
  if granted > 0 then
    update accounts.quota_counter q set day = quota_take.day, day_used = quota_take.day_used, day_refunded = counter.day_refunded,
      month = quota_take.month, month_used = quota_take.month_used,
      burst_full_at = clock + backlog_us * interval '1 microsecond', updated = today
    where q.subject = p_subject;
  end if;
end $$;

-- The counter of a subject, locked, with the windows that are open now.
create function accounts.quota_open(p_subject bytea) returns accounts.quota_counter language plpgsql as $$
declare
  counter accounts.quota_counter;
  today date;
  this_month date;
begin
  insert into accounts.quota_counter values (p_subject, 'epoch', 0, 0, 'epoch', 0, 'epoch', current_date) on conflict do nothing;
  select * into counter from accounts.quota_counter q where q.subject = p_subject for update;
  today := (accounts.quota_now() at time zone 'UTC')::date;
  this_month := date_trunc('month', today)::date;
  if today > counter.day then counter.day := today; counter.day_used := 0; counter.day_refunded := 0; end if;
  if this_month > counter.month then counter.month := this_month; counter.month_used := 0; end if;
  counter.updated := today;
  return counter;
end $$;

-- Debts that were posted: one that is sent again, because nobody knows whether it came, counts once.
create table accounts.quota_debt (
  id uuid primary key,
  posted date not null
);
create index quota_debt_posted on accounts.quota_debt (posted);

-- Adds units that were admitted without the store: never refused, and not of the burst. What is of a day or month that is over is left out.
create function accounts.quota_owe(p_id uuid[], p_subject bytea[], p_day date[], p_month date[], p_units bigint[]) returns void
language plpgsql security definer set search_path = accounts, pg_temp as $$
declare
  debt record;
  counter accounts.quota_counter;
begin
  for debt in
    with fresh as (
      insert into quota_debt select distinct id, current_date from unnest(p_id) id order by id on conflict do nothing returning id
    )
    select owed.* from unnest(p_id, p_subject, p_day, p_month, p_units) owed (id, subject, day, month, units) join fresh using (id)
      order by subject
  loop
    counter := quota_open(debt.subject);
    -- a router's idea of the day may be a little ahead of the store's
    if debt.day >= counter.day then counter.day_used := counter.day_used + debt.units; end if;
    if debt.month >= counter.month then counter.month_used := counter.month_used + debt.units; end if;
    update quota_counter q set day = counter.day, day_used = counter.day_used, day_refunded = counter.day_refunded,
      month = counter.month, month_used = counter.month_used, updated = counter.updated where q.subject = debt.subject;
  end loop;
end $$;

-- What subjects have used in the windows that are open now, as far as PostgreSQL knows: its own counters, and what routers told.
-- No row for a subject of which it knows nothing.
create function accounts.quota_hydrate(p_subject bytea[])
returns table (subject bytea, day date, day_used bigint, month date, month_used bigint)
language sql stable security definer set search_path = accounts, pg_temp as $$
  with now as (
    select today, date_trunc('month', today)::date as this_month from (select (quota_now() at time zone 'UTC')::date as today) clock
  ), known as (
    select u.subject, u.day, greatest(u.day_units, u.day_counted) as day_used, u.month, greatest(u.month_units, u.month_counted) as month_used
      from subject_usage u where u.subject = any(p_subject)
    union all
    select q.subject, q.day, q.day_used, q.month, q.month_used from quota_counter q where q.subject = any(p_subject)
  )
  select known.subject, greatest(today, max(known.day)), coalesce(max(known.day_used) filter (where known.day >= today), 0),
    greatest(this_month, max(known.month)), coalesce(max(known.month_used) filter (where known.month >= this_month), 0)
  from known, now group by known.subject, today, this_month
$$;

-- Raises the counters that are behind; a window that is not open any more is left alone. Returns how many were raised.
create function accounts.quota_raise(
  p_subject bytea[], p_day date[], p_day_used bigint[], p_month date[], p_month_used bigint[]
) returns int language plpgsql security definer set search_path = accounts, pg_temp as $$
declare
  told record;
  counter accounts.quota_counter;
  raised int := 0;
begin
  for told in
    select wanted.* from unnest(p_subject, p_day, p_day_used, p_month, p_month_used) wanted (subject, day, day_used, month, month_used)
      left join quota_counter q using (subject)
    where q.subject is null or q.day < wanted.day or q.month < wanted.month
      or (q.day = wanted.day and q.day_used < wanted.day_used) or (q.month = wanted.month and q.month_used < wanted.month_used)
    order by wanted.subject
  loop
    counter := quota_open(told.subject);
    if told.day = counter.day then counter.day_used := greatest(counter.day_used, told.day_used); end if;
    if told.month = counter.month then counter.month_used := greatest(counter.month_used, told.month_used); end if;
    update quota_counter q set day = counter.day, day_used = counter.day_used, day_refunded = counter.day_refunded,
      month = counter.month, month_used = counter.month_used, updated = counter.updated where q.subject = told.subject;
    raised := raised + 1;
  end loop;
  return raised;
end $$;

-- Deletes debts that nobody sends again. Returns how many, at most p_limit.
create function accounts.prune_debts(p_consumed bigint, p_limit int) returns bigint
language sql security definer set search_path = accounts, pg_temp
begin atomic
  with old as (
    select id from accounts.quota_debt where posted < current_date - 2 limit p_limit for update skip locked
  ), gone as (
    delete from accounts.quota_debt where id = any(array(select id from old)) returning 1
  )
  select count(*) from gone;
end;

revoke all on function
  accounts.quota_now(), accounts.quota_open(bytea), accounts.quota_owe(uuid[], bytea[], date[], date[], bigint[]),
  accounts.quota_hydrate(bytea[]), accounts.quota_raise(bytea[], date[], bigint[], date[], bigint[]), accounts.prune_debts(bigint, int)
from public;
