-- The quota counters: one row per subject holds its day, month and burst, so one lock decides all three together.
-- READ COMMITTED and the store's clock, read under the row lock, are what makes the grants exact over any number of routers.

create table accounts.quota_counter (
  subject bytea primary key check (octet_length(subject) between 16 and 64),
  day date not null,
  day_used bigint not null,
  day_refunded bigint not null,
  month date not null,
  month_used bigint not null,
  burst_full_at timestamptz not null,             -- when the burst bucket will be full again; in the past: it is
  updated date not null
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- Takes from a subject's windows. p_charge says what one unit of p_want is:
--   EACH           one request of cost 1: as many as fit are granted, each takes one of the burst
--   TOGETHER       the cost of one request: all or nothing, the request takes one of the burst
--   MORE           further cost of a request that was admitted: all or nothing, nothing of the burst
--   BURST_ONLY     one request that day and month do not count
--   NEVER_REFUSED  one request that day and month count but never refuse
-- What one window refuses burns none of the others. burst_wait_ms: until one more request fits; 0 when it fits now.
-- Runs with the rights of its caller, quota_take_many: switching them for every subject would cost a tenth more.
create function accounts.quota_take(
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
  clock := clock_timestamp();
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

-- Takes for many subjects at once. Rows are locked in the order of their subjects, so that routers never deadlock;
-- entries of one subject are served in the order they were given. `entry` counts from 1.
create function accounts.quota_take_many(
  p_subject bytea[], p_charge text[], p_want int[], p_per_day bigint[], p_per_month bigint[], p_burst_per_minute int[]
) returns table (
  entry bigint, granted int, day date, day_used bigint, month date, month_used bigint, burst_left int, burst_wait_ms float8,
  clock timestamptz
) language sql security definer set search_path = accounts, pg_temp as $$
  select wanted.entry, taken.*
  from (
    select * from unnest(p_subject, p_charge, p_want, p_per_day, p_per_month, p_burst_per_minute)
      with ordinality wanted (subject, charge, want, per_day, per_month, burst_per_minute, entry)
    order by subject, entry
  ) wanted, lateral accounts.quota_take(subject, charge, want, per_day, per_month, burst_per_minute) taken
$$;

-- Gives units of a day back, never the burst, as far as the day's cap for refunds allows; returns how many.
-- Nothing is given back once the day is over: its count is closed.
create function accounts.quota_refund(p_subject bytea, p_day date, p_month date, p_units bigint, p_cap bigint)
returns bigint language sql security definer set search_path = accounts, pg_temp as $$
  update accounts.quota_counter q set
    day_used = q.day_used - least(p_units, p_cap - q.day_refunded, q.day_used),
    day_refunded = q.day_refunded + least(p_units, p_cap - q.day_refunded, q.day_used),
    month_used = greatest(0, q.month_used - case when q.month = p_month then least(p_units, p_cap - q.day_refunded, q.day_used) else 0 end)
  where q.subject = p_subject and q.day = p_day and q.day_refunded < p_cap and q.day_used > 0 and p_units > 0
  returning old.day_used - new.day_used
$$;

-- What a subject has used in the windows that are open now, without charging; all zero for a subject never seen.
create function accounts.quota_read(
  p_subject bytea, out day date, out day_used bigint, out month date, out month_used bigint, out clock timestamptz
) language plpgsql stable security definer set search_path = accounts, pg_temp as $$
declare counter accounts.quota_counter;
begin
  select * into counter from accounts.quota_counter q where q.subject = p_subject;
  clock := clock_timestamp();
  day := (clock at time zone 'UTC')::date;
  month := date_trunc('month', day)::date;
  day_used := case when counter.day >= day then counter.day_used else 0 end;
  month_used := case when counter.month >= month then counter.month_used else 0 end;
  -- Between midnight by a faster clock and midnight by this one, the newer window is the open one.
  if counter.day = day + 1 then day := counter.day; end if;
  if counter.month > month and counter.month <= month + 31 then month := counter.month; end if;
end $$;

revoke all on function
  accounts.quota_take(bytea, text, int, bigint, bigint, int),
  accounts.quota_take_many(bytea[], text[], int[], bigint[], bigint[], int[]),
  accounts.quota_refund(bytea, date, date, bigint, bigint),
  accounts.quota_read(bytea)
from public;
