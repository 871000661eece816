create table athlete (
  id uuid primary key default gen_random_uuid(),  -- random: an id must not tell when a minor was registered
  account_id uuid not null,
  version int not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  status text not null default 'DRAFT' check (status in ('DRAFT', 'ACTIVE', 'INACTIVE', 'PENDING_CONSENT', 'SUSPENDED')),
  display_name text not null,
  given_name text,
  family_name text,
  known_as text,
  date_of_birth date,
  birth_year int,
  adult_from date,                                -- first day on which the athlete is certainly an adult; null: unknown, so a minor
  adult_confirmed boolean,
  sex text not null,
  nationalities text[] not null,
  sporting_nationality text,
  residence jsonb,
  country text generated always as (residence ->> 'country') stored,
  sports jsonb not null,
  sport_codes text[] not null,
  height_cm int,
  weight_kg numeric(4, 1),
  dominant_foot text,
  dominant_hand text,
  weight_class text,
  education jsonb,
  availability jsonb,
  open_to_opportunities boolean generated always as (coalesce((availability ->> 'openToOpportunities')::boolean, false)) stored,
  languages text[] not null default '{}',
  media jsonb not null default '[]',
  visibility text not null default 'PUBLIC' check (visibility in ('PUBLIC', 'ORGANIZATIONS', 'PRIVATE')),
  verification jsonb not null default '{"status": "UNVERIFIED", "method": null, "at": null}',
  verified boolean generated always as (verification ->> 'status' = 'VERIFIED') stored,
  search text not null
);
create index athlete_created_at on athlete (created_at, id) where status = 'ACTIVE' and visibility = 'PUBLIC';
create index athlete_name on athlete (display_name collate "und-x-icu", id) where status = 'ACTIVE' and visibility = 'PUBLIC';
create index athlete_updated_at on athlete (updated_at, id);
create index athlete_account on athlete (account_id, created_at, id);
create index athlete_country on athlete (country, created_at, id) where status = 'ACTIVE' and visibility = 'PUBLIC';
create index athlete_birth on athlete (date_of_birth) where status = 'ACTIVE' and visibility = 'PUBLIC';
create index athlete_search on athlete using gin (search gin_trgm_ops);

-- One row a sport, for filters that combine sport, discipline, position and level of the same sport.
create table athlete_sport (
  athlete_id uuid not null references athlete on delete cascade,
  sport text not null,
  discipline text,
  positions text[] not null,
  level text,
  primary key (athlete_id, sport)
);
create index athlete_sport_level on athlete_sport (sport, level);
create index athlete_sport_positions on athlete_sport using gin (positions);

create table statistics (
  id uuid primary key default uuidv7(),
  account_id uuid not null,
  version int not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  athlete_id uuid not null references athlete on delete cascade,
  scope text not null check (scope in ('MATCH', 'SEASON', 'CAREER')),
  sport text not null,
  season_id uuid,
  competition_id uuid,
  team_id uuid,
  event_code text,
  matches_played int,
  minutes_played int,
  metrics jsonb not null,
  source text not null check (source in ('COMPUTED', 'PROVIDER', 'SELF_REPORTED')),
  verified boolean not null default false,
  as_of date,
  constraint statistics_one_row unique nulls not distinct (athlete_id, scope, season_id, competition_id, team_id, event_code, source)
);
create index statistics_updated_at on statistics (updated_at, id);
create index statistics_athlete on statistics (athlete_id, updated_at, id);
create index statistics_season on statistics (season_id, updated_at, id);
create index statistics_competition on statistics (competition_id, updated_at, id);
create index statistics_team on statistics (team_id, updated_at, id);

-- One row a number, for leaderboards.
create table statistic_metric (
  statistics_id uuid not null references statistics on delete cascade,
  key text not null,
  value double precision not null,
  primary key (statistics_id, key)
);
create index statistic_metric_value on statistic_metric (key, value, statistics_id);

-- Projections of the organizations area.
create table membership (
  id uuid primary key,
  version int not null,
  athlete_id uuid not null,
  organization_id uuid,
  team_id uuid,
  status text not null,
  type text not null,
  start_date date,
  end_date date
);
create index membership_athlete on membership (athlete_id);
create index membership_organization on membership (organization_id, athlete_id);

create table organization_account (
  organization_id uuid primary key,
  account_id uuid not null,
  verified boolean not null
);
create index organization_account_verified on organization_account (account_id) where verified;
