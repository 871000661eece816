-- The history entries whose values were erased, so that `npm run audit -- verify` reports a removal without a record. Append-only: the role
-- of the area has no right to write it (platform/database/audit-grants.ts).
create table audit_history_erasure (
  id uuid primary key,                                    -- of the entry
  resource_type text not null,
  resource_id uuid not null,
  erased_by name,                                         -- the login of the session; null: erased before records existed
  erased_at timestamptz(3) not null default now()
);

-- Removes values and reasons from the history of resources, and records it. The entries remain: action, actor, time, and the hash of what was
-- removed.
create or replace function erase_history(p_resource_type text, p_ids uuid[]) returns bigint
language sql security definer set search_path from current
begin atomic
  with erased as (
    update history h set erased_hash = audit_history_values(h), salt = null, changes = '{}', reason = null
    where h.resource_type = p_resource_type and h.resource_id = any(p_ids) and (h.changes <> '{}' or h.reason is not null)
    returning h.id, h.resource_type, h.resource_id
  ), recorded as (
    insert into audit_history_erasure (id, resource_type, resource_id, erased_by)
    select e.id, e.resource_type, e.resource_id, session_user from erased e returning 1
  )
  select count(*) from recorded;
end;
