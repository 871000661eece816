-- The last digest of a log and its signature, for a signature with the next key. No row without a digest.
create function audit_head(p_log text, out number int, out last bigint, out digest bytea, out key_id text, out signature bytea)
returns setof record language sql stable security definer set search_path from current
begin atomic
  select d.number, d.last, d.digest, d.key_id, d.signature from audit_digest d where d.log = p_log order by d.number desc limit 1;
end;
