-- Reads of minors by administrators are in the access log, too. Only the function record_minor_access adds and counts reads.
alter table minor_access drop constraint minor_access_pkey;
alter table minor_access
  alter column account_id drop not null,
  add column administrator_id uuid,
  add column parts text[] not null default '{PROFILE}',   -- what was read
  -- the rows of a removed athlete are erased with a record of it, instead of by the foreign key
  drop constraint minor_access_athlete_id_fkey,
  add primary key (id),
  add check ((account_id is null) = (administrator_id is not null));
create unique index minor_access_reader on minor_access (athlete_id, day, account_id, key_id, administrator_id) nulls not distinct;
create index minor_access_day on minor_access (day);

-- The rows of the access log that were erased with their athlete, so that they do not count as missing.
create table audit_minor_access_erasure (
  id uuid primary key,
  erased_at timestamptz(3) not null default now()
);

-- Records reads of minors: p_reads is [{id, scopes}]. One row per athlete, day and reader; the day ends where it ends last. Erased athletes
-- have no log.
create function record_minor_access(p_reads jsonb, p_account uuid, p_key text, p_administrator uuid, p_part text) returns void
language sql security definer set search_path from current
begin atomic
  insert into minor_access as m (athlete_id, day, account_id, key_id, administrator_id, scopes, parts)
  select r.id, (now() at time zone 'Etc/GMT+12')::date, p_account, p_key, p_administrator, r.scopes, array[p_part]
  from jsonb_to_recordset(p_reads) as r(id uuid, scopes text[])
    join athlete a on a.id = r.id and a.status not in ('ERASURE_REQUESTED', 'ERASED')
  order by r.id
  on conflict (athlete_id, day, account_id, key_id, administrator_id) do update set reads = m.reads + 1, last_at = now(),
    scopes = array(select distinct unnest(m.scopes || excluded.scopes) order by 1),
    parts = array(select distinct unnest(m.parts || excluded.parts) order by 1);
end;

-- Deletes the access log of removed athletes and records the deletion.
create function erase_minor_access(p_athletes uuid[]) returns bigint
language sql security definer set search_path from current
begin atomic
  with erased as (
    delete from minor_access where athlete_id = any(p_athletes) returning id
  ), recorded as (
    insert into audit_minor_access_erasure (id) select id from erased returning 1
  )
  select count(*) from recorded;
end;

create function audit_minor_access_hash(m minor_access) returns bytea language sql stable
return sha256(convert_to(jsonb_build_array(m.id, m.athlete_id, m.day, m.account_id, m.key_id, m.administrator_id, m.scopes, m.parts,
  m.reads, extract(epoch from m.first_at), extract(epoch from m.last_at))::text, 'UTF8'));

-- The last day that has ended, as days since 1970: its rows do not change any more. The hour is a margin for transactions that began before.
create function audit_minor_access_closed() returns bigint language sql stable security definer set search_path from current
return ((now() - interval '1 hour') at time zone 'Etc/GMT+12')::date - date '1970-01-01' - 1;

-- The next days without a digest: whole days, so p_limit only ends a range early.
create function audit_minor_access_next(p_closed bigint, p_limit int,
  out number int, out first bigint, out last bigint, out rows bytea, out previous bytea) returns setof record
language sql stable security definer set search_path from current
begin atomic
  select l.number + 1, l.last + 1, b.last, d.rows, l.digest
  from audit_last('minor_access') l cross join lateral (
    select case when count(*) = p_limit then (max(n.day) - date '1970-01-01')::bigint else p_closed end as last from (
      select m.day from minor_access m where m.day > date '1970-01-01' + l.last::int and m.day <= date '1970-01-01' + p_closed::int
      order by m.day limit p_limit) n
  ) b cross join lateral (
    select coalesce(string_agg(uuid_send(m.id) || audit_minor_access_hash(m), ''::bytea order by m.id), ''::bytea) as rows
    from minor_access m where m.day > date '1970-01-01' + l.last::int and m.day <= date '1970-01-01' + b.last::int
  ) d
  where p_closed > l.last;
end;
