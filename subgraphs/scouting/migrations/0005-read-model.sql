-- What scouting knows of adults whom everybody sees: facts, numbers, and the score of both. Fed by events of other areas; it can be emptied and built again.
drop table prospect;

-- An athlete in a sport.
create table prospect (
  id uuid primary key default uuidv7(),
  athlete_id uuid not null,                       -- leaves this area only as a reference between areas
  version int not null default 1,
  computed_at timestamptz(3) not null default now(),
  sport text not null,
  is_primary boolean not null,                    -- the sport that the athlete is listed with
  positions text[] not null,
  position_group text not null,                   -- of the first position; empty when it is not known
  sex text not null,
  country text,
  nationalities text[] not null,
  level text,
  born_by date,                                   -- day of birth, or the last day of its year; null when not known
  birth_quarter int check (birth_quarter between 1 and 4),
  age_band text,
  verified boolean not null,
  open_to_opportunities boolean,                  -- null when nobody says
  organization_ids uuid[] not null,               -- whom the athlete plays for
  facts jsonb not null,                           -- what a match is computed from, without numbers
  refresh_on date,                                -- next birthday: from then on the age is out of date
  standings jsonb not null default '[]',          -- where its numbers stand in their cohorts: what the score is computed from
  talent_score int not null default 0 check (talent_score between 0 and 100),
  confidence numeric(3, 2) not null default 0,
  emerging boolean not null default false,
  model_version text not null default '',
  constraint prospect_once unique (sport, athlete_id)
);
create index prospect_athlete on prospect (athlete_id);
create index prospect_refresh_on on prospect (refresh_on);
create index prospect_sport_score on prospect (sport, talent_score, id) where is_primary;
create index prospect_score on prospect (talent_score, id) where is_primary;
create index prospect_computed_at on prospect (computed_at, id) where is_primary;
create index prospect_positions on prospect using gin (positions) where is_primary;
create index prospect_sex on prospect (sex, talent_score, id) where is_primary;
create index prospect_country on prospect (country, talent_score, id) where is_primary;
create index prospect_born_by on prospect (born_by) where is_primary;
create index prospect_emerging on prospect (talent_score, id) where is_primary and emerging;

-- A number of the season that counts for it, beside the season before.
create table prospect_metric (
  athlete_id uuid not null,
  sport text not null,
  metric text not null,
  event_code text not null,                       -- empty where the sport has none
  value float8 not null,                          -- as it was counted or provided
  rate float8 not null,                           -- what is compared: of a whole match, or the mark; times -1 where lower is better
  rate_before float8,
  matches float8 not null,                        -- whole matches that it is of
  matches_before float8,
  source text not null,
  as_of date,
  primary key (athlete_id, sport, metric, event_code)
);
create index prospect_metric_value on prospect_metric (sport, metric, event_code, value, athlete_id);

-- What numbers are compared with. Empty: whatever the event, age, position or level.
create table cohort (
  sport text not null,
  metric text not null,
  event_code text not null,
  kind text not null check (kind in ('VALUE', 'GROWTH')),
  sex text not null,
  age_band text not null,
  position_group text not null,
  level text not null,
  size int not null check (size >= 30),
  knots float8[] not null check (cardinality(knots) = 101),
  primary key (sport, metric, event_code, kind, sex, age_band, position_group, level)
);

-- Sports in which numbers changed since their cohorts were made.
create table cohort_due (
  sport text primary key,
  changes bigint not null default 1
);

-- Projections that are filled from the beginning, and how far they are. A row asks for it; it goes when all is there.
create table projection_sweep (
  id bigint generated always as identity primary key,
  name text not null,
  after uuid
);
insert into projection_sweep (name) values ('athletes'), ('opportunities');
