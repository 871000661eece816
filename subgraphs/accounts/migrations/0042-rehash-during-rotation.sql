-- After a rotation of SECRET a router stores the hash with the current pepper when a key is used. Only while the rotation is in progress, only
-- from the previous to the current version (`npm run migrate` stores both), and only the exact hash that it read. The history has an entry.
create or replace function accounts.router_rehash_key(p_public_id text, p_known bytea, p_hash bytea, p_version int) returns void
language sql security definer set search_path = accounts, pg_temp set lock_timeout = '250ms' as $$
  with moved as (
    update api_key k set hash = p_hash, pepper_version = p_version from platform.secret_version s
    where k.public_id = p_public_id and k.hash = p_known and k.pepper_version = s.previous and p_version = s.current
    returning k.id, k.version, s.previous
  )
  insert into history (resource_type, resource_id, version, action, actor, changes)
  select 'api_key', id, version, 'rehashed', '{"kind": "SYSTEM", "accountId": null, "keyId": null}',
    jsonb_build_object('secretVersion', jsonb_build_array(previous, p_version)) from moved;
$$;
