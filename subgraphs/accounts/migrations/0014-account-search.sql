-- Accounts are found as their keys are: folded once, not for every name that a search looks at.
drop index accounts.account_search;
alter table accounts.account add column search text generated always as (platform.fold(name)) stored;
create index account_search on accounts.account using gin (search platform.gin_trgm_ops);
