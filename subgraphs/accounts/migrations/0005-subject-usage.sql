-- What a subject has used of its open day and month, in units, as the routers told after the fact: one row per subject (a key's
-- lineage, or a hashed address). A counter that is not there is filled from here, and one that is behind is raised to here.
create table accounts.subject_usage (
  subject bytea primary key check (octet_length(subject) between 16 and 64),
  day date not null,
  day_units bigint not null check (day_units >= 0),         -- of answered requests, what was refunded taken off
  day_counted bigint not null check (day_counted >= 0),     -- the highest count of the store that a router has seen
  month date not null,
  month_units bigint not null check (month_units >= 0),
  month_counted bigint not null check (month_counted >= 0),
  updated date not null
) with (fillfactor = 70);
create index subject_usage_updated on accounts.subject_usage (updated);
