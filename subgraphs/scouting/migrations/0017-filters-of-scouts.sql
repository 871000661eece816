-- Thresholds per full match and by percentile. The scores of an athlete's next computation write the percentiles.
alter table prospect_metric add column percentile int;
create index prospect_metric_rate on prospect_metric (sport, metric, event_code, rate, athlete_id);
create index prospect_metric_percentile on prospect_metric (sport, metric, event_code, percentile, athlete_id) where percentile is not null;

-- Filters by body, languages, availability, verification and membership. One list of texts holds all that has few values, each with the sport in
-- front (prospects/traits.ts): PostgreSQL then knows how rare a trait is within the sport.
alter table prospect
  add column traits text[] not null default '{}',
  add column height_cm int,
  add column contract_until date;
create index prospect_traits on prospect using gin (traits) with (fastupdate = off) where is_primary;
create index prospect_height on prospect (sport, height_cm) where is_primary and height_cm is not null;
create index prospect_contract on prospect (sport, contract_until) where is_primary and contract_until is not null;
insert into projection_sweep (name) values ('athletes');
