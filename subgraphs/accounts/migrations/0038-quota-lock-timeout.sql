-- Routers set this limit at the start of their sessions before. Poolers reject such settings, so the functions have it.
do $$ declare counter regprocedure; begin
  for counter in select oid from pg_proc
    where pronamespace = 'accounts'::regnamespace
      and proname in ('quota_hydrate', 'quota_take_many', 'quota_refund', 'quota_owe', 'quota_raise')
  loop execute format('alter function %s set lock_timeout = ''250ms''', counter); end loop;
end $$;
