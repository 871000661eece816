-- Of how many of the matches the minutes are known; null where a report does not tell: then of all.
alter table statistics add column matches_timed int;

-- What athletes are compared with. Empty: whatever the event, age, position or level. Values are times -1 where lower ones are better.
create table statistic_cohort (
  sport text not null,
  metric text not null,
  event_code text not null,
  sex text not null,
  age_band text not null,
  position_group text not null,
  level text not null,
  size int not null check (size >= 30),
  knots float8[] not null check (cardinality(knots) = 101),
  primary key (sport, metric, event_code, sex, age_band, position_group, level)
);

-- For filters of which rows are rare; those of matches have no more than one match.
create index statistics_event_code on statistics (event_code, updated_at, id) where event_code is not null;
create index statistics_verified on statistics (updated_at, id) where verified;
create index statistics_matches_played on statistics (matches_played) where matches_played > 1;
