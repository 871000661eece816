-- A plan is one resource with versions: history and events need an id that all versions of a code share.
alter table accounts.plan add column id uuid;
update accounts.plan set id = one.id from (select code, uuidv7() as id from (select distinct code from accounts.plan) codes) one
  where one.code = plan.code;
alter table accounts.plan alter column id set not null, alter column id set default uuidv7();
create unique index plan_id on accounts.plan (id, version);

-- Keys and accounts are found by words of their names, and keys by any part of their public id.
create index api_key_search on accounts.api_key using gin (platform.fold(name || ' ' || public_id) platform.gin_trgm_ops);
create index account_search on accounts.account using gin (platform.fold(name) platform.gin_trgm_ops);
