-- The request log: every counted request of a key, without bodies, query values, names and full addresses, and rollups of requests by operation.

-- Whole days, because partitions are dropped as a whole.
alter table plan add column request_log_days int not null default 7 check (request_log_days in (7, 30));
update plan set request_log_days = 30 where code = 'enterprise';

create table request_log (
  id uuid not null,                               -- version 7, of `at`
  at timestamptz(3) not null,
  retention_days smallint not null,               -- of the key's plan when the request was recorded
  account_id uuid not null,
  public_id text not null,
  api text not null check (api in ('REST', 'GRAPHQL', 'MCP')),
  method text not null,
  path text not null check (length(path) <= 400), -- without its query; only words of routes and IDs
  operation text,                                 -- method and path template, name of a GraphQL operation, or name of a tool
  document_hash text,
  area text,
  status smallint not null,
  status_class smallint not null generated always as (status / 100) stored,
  error_code text,
  error_pointers text[] not null,
  duration_ms int not null,
  units int not null,
  request_id text not null,
  network cidr,                                   -- /24 or /48 of the address
  user_agent text check (length(user_agent) <= 200)
) partition by list (retention_days);
create table request_log_7 partition of request_log for values in (7) partition by range (at);
create table request_log_30 partition of request_log for values in (30) partition by range (at);
-- For days without a partition, because no maintenance has run.
create table request_log_7_rest partition of request_log_7 default;
create table request_log_30_rest partition of request_log_30 default;

create index request_log_at on request_log (at, id);
create index request_log_account on request_log (account_id, at, id);
create index request_log_key on request_log (public_id, at, id);
create index request_log_request on request_log (request_id);
create index request_log_operation on request_log (operation, at, id);
create index request_log_account_operation on request_log (account_id, operation, at, id);
-- Most requests succeed with 200: the walk through the time finds those.
create index request_log_status on request_log (status, at, id) where status <> 200;
create index request_log_account_status on request_log (account_id, status, at, id) where status <> 200;
create index request_log_class on request_log (status_class, at, id) where status_class <> 2;
create index request_log_account_class on request_log (account_id, status_class, at, id) where status_class <> 2;
create index request_log_error on request_log (error_code, at, id) where error_code is not null;
create index request_log_account_error on request_log (account_id, error_code, at, id) where error_code is not null;

-- Creates the partitions of one day. A day that already has rows elsewhere stays there.
create function create_request_partitions(p_day date) returns void
language plpgsql set search_path from current as $$
declare
  days int;
  name text;
  begins timestamptz := p_day::timestamp at time zone 'UTC';
  occupied boolean;
begin
  foreach days in array array[7, 30] loop
    name := format('request_log_%s_%s', days, to_char(p_day, 'YYYYMMDD'));
    continue when to_regclass('accounts.' || name) is not null;
    execute format('select exists (select from accounts.request_log_%s_rest where at >= %L and at < %L)', days, begins, begins + interval '1 day')
      into occupied;
    continue when occupied;
    execute format('create table accounts.%I partition of accounts.request_log_%s for values from (%L) to (%L)', name, days, begins,
      begins + interval '1 day');
  end loop;
end $$;
select create_request_partitions((now() at time zone 'UTC')::date + ahead) from generate_series(0, 7) ahead;

-- Requests by hour, operation and outcome. Without an account: of all accounts, where the names of GraphQL operations are null.
create table request_operation (
  starts_at timestamptz not null,
  account_id uuid,
  public_id text,
  api text not null,
  operation text,                                 -- as in request_log; (other): beyond the names that an account may have
  area text,
  status_class smallint not null,
  requests bigint not null,
  errors bigint not null,                         -- status 400 or above, or a GraphQL response with errors
  -- by duration, up to 1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 75, 100, 150, 200, 300, 500, 750, 1000, 1500, 2000, 3000, 5000, 10000 ms, and above
  d1 int not null, d2 int not null, d3 int not null, d4 int not null, d5 int not null, d6 int not null,
  d7 int not null, d8 int not null, d9 int not null, d10 int not null, d11 int not null, d12 int not null,
  d13 int not null, d14 int not null, d15 int not null, d16 int not null, d17 int not null, d18 int not null,
  d19 int not null, d20 int not null, d21 int not null, d22 int not null, d23 int not null, d24 int not null
) with (fillfactor = 70);
create unique index request_operation_place on request_operation
  (account_id, starts_at, public_id, api, operation, area, status_class) nulls not distinct;
create index request_operation_starts on request_operation (starts_at);

create table request_error (
  starts_at timestamptz not null,
  account_id uuid,
  public_id text,
  api text not null,
  operation text,
  error_code text not null,
  requests bigint not null
) with (fillfactor = 70);
create unique index request_error_place on request_error
  (account_id, starts_at, public_id, api, operation, error_code) nulls not distinct;
create index request_error_starts on request_error (starts_at);

-- The names of GraphQL operations that have own rollups: about 50 per account.
create table request_operation_name (
  account_id uuid not null,
  operation text not null,
  last_seen date not null default current_date,
  primary key (account_id, operation)
);
create index request_operation_name_seen on request_operation_name (last_seen);

-- The rows {hour (seconds since 1970), account, key, api, operation, area, status (class), requests, errors, durations: [counts], codes: {code: count}},
-- where names of GraphQL operations that an account has no room for are (other).
create function counted_requests(p_operations jsonb)
returns table (starts_at timestamptz, account uuid, key text, api text, operation text, area text, status smallint, requests bigint,
  errors bigint, durations jsonb, codes jsonb)
language sql stable set search_path from current
begin atomic
  select to_timestamp(r.hour), r.account, r.key, r.api,
    case when r.api <> 'GRAPHQL' or r.operation is null or exists (
      select from request_operation_name n where n.account_id = r.account and n.operation = r.operation) then r.operation else '(other)' end,
    r.area, r.status, r.requests, r.errors, r.durations, r.codes
  from jsonb_to_recordset(p_operations) r (hour bigint, account uuid, key text, api text, operation text, area text, status smallint,
    requests bigint, errors bigint, durations jsonb, codes jsonb);
end;

-- Gives the names of GraphQL operations room, those with the most requests first.
create function name_operations(p_operations jsonb) returns void
language sql security definer set search_path from current
begin atomic
  insert into request_operation_name (account_id, operation)
  select fresh.account, fresh.operation from (
    select r.account, r.operation, row_number() over (partition by r.account order by sum(r.requests) desc, r.operation) as place
    from jsonb_to_recordset(p_operations) r (account uuid, api text, operation text, requests bigint)
    where r.api = 'GRAPHQL' and r.operation is not null and not exists (
      select from request_operation_name n where n.account_id = r.account and n.operation = r.operation)
    group by r.account, r.operation
  ) fresh
  where fresh.place + (select count(*) from request_operation_name n where n.account_id = fresh.account) <= 50
  order by 1, 2 on conflict do nothing;

  update request_operation_name n set last_seen = current_date
  from (
    select n.account_id, n.operation from request_operation_name n
    where n.last_seen < current_date and (n.account_id, n.operation) in (
      select r.account, r.operation from jsonb_to_recordset(p_operations) r (account uuid, api text, operation text) where r.api = 'GRAPHQL')
    for update skip locked
  ) seen where n.account_id = seen.account_id and n.operation = seen.operation;
end;
revoke all on function name_operations(jsonb) from public;

-- Adds rows to the rollups of accounts.
create function count_account_requests(p_operations jsonb) returns void
language sql security definer set search_path from current
begin atomic
  insert into request_operation as o (starts_at, account_id, public_id, api, operation, area, status_class, requests, errors,
    d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12,
    d13, d14, d15, d16, d17, d18, d19, d20, d21, d22, d23, d24)
  select r.starts_at, r.account, r.key, r.api, r.operation, r.area, r.status, sum(r.requests), sum(r.errors),
    sum(r.d1), sum(r.d2), sum(r.d3), sum(r.d4), sum(r.d5), sum(r.d6), sum(r.d7), sum(r.d8),
    sum(r.d9), sum(r.d10), sum(r.d11), sum(r.d12), sum(r.d13), sum(r.d14), sum(r.d15), sum(r.d16),
    sum(r.d17), sum(r.d18), sum(r.d19), sum(r.d20), sum(r.d21), sum(r.d22), sum(r.d23), sum(r.d24)
  from (
    select r.*, (r.durations ->> 0)::int as d1, (r.durations ->> 1)::int as d2, (r.durations ->> 2)::int as d3, (r.durations ->> 3)::int as d4,
      (r.durations ->> 4)::int as d5, (r.durations ->> 5)::int as d6, (r.durations ->> 6)::int as d7, (r.durations ->> 7)::int as d8,
      (r.durations ->> 8)::int as d9, (r.durations ->> 9)::int as d10, (r.durations ->> 10)::int as d11, (r.durations ->> 11)::int as d12,
      (r.durations ->> 12)::int as d13, (r.durations ->> 13)::int as d14, (r.durations ->> 14)::int as d15, (r.durations ->> 15)::int as d16,
      (r.durations ->> 16)::int as d17, (r.durations ->> 17)::int as d18, (r.durations ->> 18)::int as d19, (r.durations ->> 19)::int as d20,
      (r.durations ->> 20)::int as d21, (r.durations ->> 21)::int as d22, (r.durations ->> 22)::int as d23, (r.durations ->> 23)::int as d24
    from counted_requests(p_operations) r
  ) r
  group by 1, 2, 3, 4, 5, 6, 7 order by 1, 2, 3, 4, 5, 6, 7
  on conflict (account_id, starts_at, public_id, api, operation, area, status_class) do update set
    requests = o.requests + excluded.requests, errors = o.errors + excluded.errors,
    d1 = o.d1 + excluded.d1, d2 = o.d2 + excluded.d2, d3 = o.d3 + excluded.d3, d4 = o.d4 + excluded.d4,
    d5 = o.d5 + excluded.d5, d6 = o.d6 + excluded.d6, d7 = o.d7 + excluded.d7, d8 = o.d8 + excluded.d8,
    d9 = o.d9 + excluded.d9, d10 = o.d10 + excluded.d10, d11 = o.d11 + excluded.d11, d12 = o.d12 + excluded.d12,
    d13 = o.d13 + excluded.d13, d14 = o.d14 + excluded.d14, d15 = o.d15 + excluded.d15, d16 = o.d16 + excluded.d16,
    d17 = o.d17 + excluded.d17, d18 = o.d18 + excluded.d18, d19 = o.d19 + excluded.d19, d20 = o.d20 + excluded.d20,
    d21 = o.d21 + excluded.d21, d22 = o.d22 + excluded.d22, d23 = o.d23 + excluded.d23, d24 = o.d24 + excluded.d24;

  insert into request_error as e (starts_at, account_id, public_id, api, operation, error_code, requests)
  select r.starts_at, r.account, r.key, r.api, r.operation, code.key, sum(code.value::bigint)
  from counted_requests(p_operations) r, jsonb_each_text(r.codes) code
  group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6
  on conflict (account_id, starts_at, public_id, api, operation, error_code)
  do update set requests = e.requests + excluded.requests;
end;
revoke all on function count_account_requests(jsonb) from public;

-- Adds the same rows to the rollups of all accounts.
create function count_all_requests(p_operations jsonb) returns void
language sql security definer set search_path from current
begin atomic
  insert into request_operation as o (starts_at, account_id, public_id, api, operation, area, status_class, requests, errors,
    d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12,
    d13, d14, d15, d16, d17, d18, d19, d20, d21, d22, d23, d24)
  select r.starts_at, null::uuid, null::text, r.api, case when r.api <> 'GRAPHQL' then r.operation end, r.area, r.status, sum(r.requests), sum(r.errors),
    sum(r.d1), sum(r.d2), sum(r.d3), sum(r.d4), sum(r.d5), sum(r.d6), sum(r.d7), sum(r.d8),
    sum(r.d9), sum(r.d10), sum(r.d11), sum(r.d12), sum(r.d13), sum(r.d14), sum(r.d15), sum(r.d16),
    sum(r.d17), sum(r.d18), sum(r.d19), sum(r.d20), sum(r.d21), sum(r.d22), sum(r.d23), sum(r.d24)
  from (
    select r.*, (r.durations ->> 0)::int as d1, (r.durations ->> 1)::int as d2, (r.durations ->> 2)::int as d3, (r.durations ->> 3)::int as d4,
      (r.durations ->> 4)::int as d5, (r.durations ->> 5)::int as d6, (r.durations ->> 6)::int as d7, (r.durations ->> 7)::int as d8,
      (r.durations ->> 8)::int as d9, (r.durations ->> 9)::int as d10, (r.durations ->> 10)::int as d11, (r.durations ->> 11)::int as d12,
      (r.durations ->> 12)::int as d13, (r.durations ->> 13)::int as d14, (r.durations ->> 14)::int as d15, (r.durations ->> 15)::int as d16,
      (r.durations ->> 16)::int as d17, (r.durations ->> 17)::int as d18, (r.durations ->> 18)::int as d19, (r.durations ->> 19)::int as d20,
      (r.durations ->> 20)::int as d21, (r.durations ->> 21)::int as d22, (r.durations ->> 22)::int as d23, (r.durations ->> 23)::int as d24
    from counted_requests(p_operations) r
  ) r
  group by 1, 2, 3, 4, 5, 6, 7 order by 1, 2, 3, 4, 5, 6, 7
  on conflict (account_id, starts_at, public_id, api, operation, area, status_class) do update set
    requests = o.requests + excluded.requests, errors = o.errors + excluded.errors,
    d1 = o.d1 + excluded.d1, d2 = o.d2 + excluded.d2, d3 = o.d3 + excluded.d3, d4 = o.d4 + excluded.d4,
    d5 = o.d5 + excluded.d5, d6 = o.d6 + excluded.d6, d7 = o.d7 + excluded.d7, d8 = o.d8 + excluded.d8,
    d9 = o.d9 + excluded.d9, d10 = o.d10 + excluded.d10, d11 = o.d11 + excluded.d11, d12 = o.d12 + excluded.d12,
    d13 = o.d13 + excluded.d13, d14 = o.d14 + excluded.d14, d15 = o.d15 + excluded.d15, d16 = o.d16 + excluded.d16,
    d17 = o.d17 + excluded.d17, d18 = o.d18 + excluded.d18, d19 = o.d19 + excluded.d19, d20 = o.d20 + excluded.d20,
    d21 = o.d21 + excluded.d21, d22 = o.d22 + excluded.d22, d23 = o.d23 + excluded.d23, d24 = o.d24 + excluded.d24;

  insert into request_error as e (starts_at, account_id, public_id, api, operation, error_code, requests)
  select r.starts_at, null::uuid, null::text, r.api, case when r.api <> 'GRAPHQL' then r.operation end, code.key, sum(code.value::bigint)
  from counted_requests(p_operations) r, jsonb_each_text(r.codes) code
  group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6
  on conflict (account_id, starts_at, public_id, api, operation, error_code)
  do update set requests = e.requests + excluded.requests;
end;
revoke all on function count_all_requests(jsonb) from public;

-- Writes the request log:
--   p_requests  {id, at (milliseconds since 1970), account, key, api, method, path, operation, document, area, status, error, pointers,
--               durationMs, units, requestId, network, userAgent}
create function log_requests(p_requests jsonb) returns void
language sql security definer set search_path from current
begin atomic
  with entry as (
    select * from jsonb_to_recordset(p_requests) r (id uuid, at float8, account uuid, key text, api text, method text, path text,
      operation text, document text, area text, status smallint, error text, pointers text[], "durationMs" int, units int,
      "requestId" text, network cidr, "userAgent" text)
  ), retention as (
    select k.public_id, p.request_log_days from router_key k join plan p on p.code = k.plan_code and p.version = k.plan_version
    where k.public_id in (select entry.key from entry)
  )
  insert into request_log (id, at, retention_days, account_id, public_id, api, method, path, operation, document_hash, area, status,
    error_code, error_pointers, duration_ms, units, request_id, network, user_agent)
  select r.id, to_timestamp(r.at / 1000), coalesce(retention.request_log_days, 7), r.account, r.key, r.api, r.method, r.path,
    r.operation, r.document, r.area, r.status, r.error, r.pointers, r."durationMs", r.units, r."requestId", r.network, r."userAgent"
  from entry r left join retention on retention.public_id = r.key;
end;
revoke all on function log_requests(jsonb) from public;

-- As before, with the request log and its rollups:
--   p_requests    rows of the request log
--   p_operations  rows of the rollups by operation
-- The lock makes a concurrent repetition wait until the batch is known.
create function usage_flush(
  p_batch uuid, p_rows jsonb, p_subjects jsonb, p_keys jsonb, p_recent jsonb, p_requests jsonb, p_operations jsonb
)
returns table (subject bytea, day date, day_units bigint, month date, month_units bigint)
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
  is_new boolean;
begin
  perform pg_advisory_xact_lock_shared(usage_closing_lock());
  perform pg_advisory_xact_lock(hashtextextended(p_batch::text, 0));
  is_new := not exists (select from usage_batch where id = p_batch);
  if is_new and p_requests <> '[]' then
    perform log_requests(p_requests);
  end if;
  if is_new and p_operations <> '[]' then
    perform name_operations(p_operations);
    perform count_account_requests(p_operations);
  end if;
  return query select * from usage_flush(p_batch, p_rows, p_subjects, p_keys, p_recent);
  -- last, so that what every flush writes is locked for no longer than a commit takes
  if is_new and p_operations <> '[]' then
    perform count_all_requests(p_operations);
  end if;
end $$;
revoke all on function usage_flush(uuid, jsonb, jsonb, jsonb, jsonb, jsonb, jsonb) from public;

-- Creates the partitions of the next days and drops those of which every row is too old. Rollups are kept for 90 days.
create function prune_requests(p_consumed bigint, p_limit int) returns bigint
language plpgsql security definer set search_path from current set lock_timeout = '2s' as $$
declare
  part record;
  deleted bigint;
  total bigint := 0;
begin
  perform create_request_partitions((clock_timestamp() at time zone 'UTC')::date + ahead) from generate_series(0, 3) ahead;
  for part in
    select c.relname, p.relname = 'request_log_7' as short from pg_inherits i join pg_class c on c.oid = i.inhrelid
      join pg_class p on p.oid = i.inhparent
    where i.inhparent in ('request_log_7'::regclass, 'request_log_30'::regclass) and c.relname ~ '_[0-9]{8}$'
  loop
    if to_date(right(part.relname, 8), 'YYYYMMDD') + 1
      <= (clock_timestamp() at time zone 'UTC') - (case when part.short then interval '7 days' else interval '30 days' end)
    then
      execute format('drop table accounts.%I', part.relname);
      total := total + 1;
    end if;
  end loop;
  delete from request_log_7_rest where ctid = any(array(
    select ctid from request_log_7_rest where at < clock_timestamp() - interval '7 days' order by at limit p_limit));
  get diagnostics deleted = row_count;
  total := total + deleted;
  delete from request_log_30_rest where ctid = any(array(
    select ctid from request_log_30_rest where at < clock_timestamp() - interval '30 days' order by at limit p_limit));
  get diagnostics deleted = row_count;
  total := total + deleted;
  delete from request_operation where ctid = any(array(
    select ctid from request_operation where starts_at < clock_timestamp() - interval '90 days' order by starts_at limit p_limit));
  get diagnostics deleted = row_count;
  total := total + deleted;
  delete from request_error where ctid = any(array(
    select ctid from request_error where starts_at < clock_timestamp() - interval '90 days' order by starts_at limit p_limit));
  get diagnostics deleted = row_count;
  total := total + deleted;
  delete from request_operation_name where ctid = any(array(
    select ctid from request_operation_name where last_seen < current_date - 7 limit p_limit));
  get diagnostics deleted = row_count;
  return total + deleted;
end $$;
