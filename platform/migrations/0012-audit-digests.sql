-- The audit log is append-only, and signed digests prove that it was not altered (docs/audit-log.md). platform/database/audit-grants.ts
-- withholds UPDATE and DELETE from the area's role: owner functions erase.
alter table history
  add column seq bigint generated always as identity,     -- order of recording, for the ranges of digests
  add column salt uuid default gen_random_uuid(),         -- makes the hash of short values impossible to guess; destroyed by erasure
  add column erased_hash bytea;                           -- hash of the erased values
create index history_seq on history using brin (seq) with (pages_per_range = 16, autosummarize = on);

create table audit_digest (
  log text not null,                                      -- the table that it covers
  number int not null check (number > 0),
  first bigint not null,                                  -- the closed range of rows; the ranges of a log have no gaps
  last bigint not null,
  rows bytea not null,                                    -- the id (16 bytes) and the hash (32 bytes) of each row
  at timestamptz(3) not null,
  previous bytea not null,                                -- the digest before; empty for the first one
  digest bytea not null,
  key_id text not null,
  signature bytea not null,                               -- the database has no key that signs
  primary key (log, number)
);

-- The values that erasure removes, as a hash. With one in each row, the hash of a row is the same before and after its erasure.
create function audit_history_values(h history) returns bytea language sql stable
return coalesce(h.erased_hash, sha256(convert_to(jsonb_build_array(h.salt, h.changes, h.reason)::text, 'UTF8')));

create function audit_history_hash(h history) returns bytea language sql stable
return sha256(convert_to(jsonb_build_array(h.seq, h.id, h.resource_type, h.resource_id, h.version, h.action, h.actor,
  extract(epoch from h.at))::text, 'UTF8') || audit_history_values(h));

-- The last digest of a log: number, end of its range, and digest.
create function audit_last(p_log text, out number int, out last bigint, out digest bytea) language sql stable
begin atomic
  select coalesce(max(d.number), 0), coalesce(max(d.last), 0), coalesce((array_agg(d.digest order by d.number desc))[1], ''::bytea)
  from audit_digest d where d.log = p_log;
end;

-- The last entry of history that digests may cover. The lock waits until the transactions with lower numbers have ended, so that no entry
-- can appear before it later. Null while a transaction lasts too long: then the next hour covers its entries.
create function audit_history_closed() returns bigint
language plpgsql security definer set search_path from current set lock_timeout = '200ms' as $$
begin
  lock table history in share mode;
  return pg_sequence_last_value(pg_get_serial_sequence('history', 'seq')::regclass);
exception when lock_not_available then
  return null;
end $$;

-- The next range of history without a digest, at most p_limit rows; no row while there is none.
create function audit_history_next(p_closed bigint, p_limit int,
  out number int, out first bigint, out last bigint, out rows bytea, out previous bytea) returns setof record
language sql stable security definer set search_path from current
begin atomic
  select l.number + 1, l.last + 1, case when c.count = p_limit then c.last else p_closed end, c.rows, l.digest
  from audit_last('history') l cross join lateral (
    select count(*) as count, max(n.seq) as last, coalesce(string_agg(uuid_send(n.id) || n.hash, ''::bytea order by n.seq), ''::bytea) as rows
    from (select h.seq, h.id, audit_history_hash(h) as hash from history h
      where h.seq > l.last and h.seq <= p_closed order by h.seq limit p_limit) n
  ) c
  where p_closed > l.last;
end;

-- Stores a signed digest. A concurrent one with the same number fails.
create function audit_append(p_log text, p_number int, p_first bigint, p_last bigint, p_rows bytea, p_at timestamptz, p_previous bytea,
  p_digest bytea, p_key_id text, p_signature bytea) returns void
language sql security definer set search_path from current
begin atomic
  insert into audit_digest (log, number, first, last, rows, at, previous, digest, key_id, signature)
  values (p_log, p_number, p_first, p_last, p_rows, p_at, p_previous, p_digest, p_key_id, p_signature);
end;

-- Removes values and reasons from the history of resources. The entries remain: action, actor, time, and the hash of what was removed.
create function erase_history(p_resource_type text, p_ids uuid[]) returns bigint
language sql security definer set search_path from current
begin atomic
  with erased as (
    update history h set erased_hash = audit_history_values(h), salt = null, changes = '{}', reason = null
    where h.resource_type = p_resource_type and h.resource_id = any(p_ids) and (h.changes <> '{}' or h.reason is not null) returning 1
  )
  select count(*) from erased;
end;
