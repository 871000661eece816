-- After a rotation of SECRET a router stores the hash with the current pepper when a key is used. Only the exact hash it read is replaced.
create function accounts.router_rehash_key(p_public_id text, p_known bytea, p_hash bytea, p_version int) returns void
language sql security definer set search_path = accounts, pg_temp set lock_timeout = '250ms' as $$
  update api_key set hash = p_hash, pepper_version = p_version
  where public_id = p_public_id and hash = p_known and pepper_version < p_version;
$$;
revoke all on function accounts.router_rehash_key from public;
