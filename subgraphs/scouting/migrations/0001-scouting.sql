-- A projection of the athletes area: public profiles of adults, scored. Fed by its events alone; it can be dropped and built again.
create table prospect (
  id uuid primary key default uuidv7(),
  athlete_id uuid not null unique,                -- leaves this area only as a reference between areas
  version int not null default 1,
  sport text not null,
  positions text[] not null,
  sex text not null,
  country text,
  level text,
  born_by date,                                   -- day of birth, or the last day of its year; null when not known
  age_band text,
  cohort text not null,                           -- sport, sex, age band and level in one key
  talent_score int not null check (talent_score between 0 and 100),
  components jsonb not null,
  confidence numeric(3, 2) not null,
  model_version text not null,
  computed_at timestamptz(3) not null default now(),
  refresh_on date                                 -- next birthday: from then on the score is out of date
);
create index prospect_sport_score on prospect (sport, talent_score, id);
create index prospect_score on prospect (talent_score, id);
create index prospect_computed_at on prospect (computed_at, id);
create index prospect_cohort on prospect (cohort);
create index prospect_positions on prospect using gin (positions);
create index prospect_refresh_on on prospect (refresh_on);
