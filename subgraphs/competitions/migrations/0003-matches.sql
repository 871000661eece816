-- Contests, stages, participants, matches, results, rankings and replays.
-- `published` says whether the competition was published, as in season: then everybody sees the row.
alter table competition add column ranking_rules jsonb;      -- null: those of the sport
alter table season add column ranking_rules jsonb;           -- those of the competition when the season was made; null: of the sport

create table contest (
  id uuid primary key default uuidv7(),
  account_id uuid not null,
  version int not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  published boolean not null,
  season_id uuid not null references season,
  sport text not null,
  name text not null,
  event_code text,
  category text,
  age_group text,
  weight_class text,
  course text,
  distance_meters int,
  relay boolean not null default false,
  implied boolean not null default false,
  ordinal int not null default 0,
  constraint contest_name unique (season_id, name)
);
create index contest_season on contest (season_id, ordinal, id);
create index contest_event on contest (event_code, ordinal, id) where published;
create index contest_sport on contest (sport, ordinal, id) where published;
create index contest_updated_at on contest (updated_at, id);
create index contest_account on contest (account_id, ordinal, id);
create index contest_ordinal on contest (ordinal, id) where published;
create unique index contest_implied on contest (season_id) where implied;

create table stage (
  id uuid primary key default uuidv7(),
  account_id uuid not null,
  version int not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  published boolean not null,
  season_id uuid not null references season,
  contest_id uuid not null references contest,
  sport text not null,
  name text not null,
  type text not null,
  ordinal int not null default 0,
  groups text[] not null default '{}',
  legs int not null default 1,
  best_of int,
  away_goals boolean not null default false,
  advancement jsonb not null default '[]',        -- [{by, count, toStageId}]
  ranking_rules jsonb,                            -- null: those of the season
  constraint stage_name unique (contest_id, name)
);
create index stage_season on stage (season_id, ordinal, id);
create index stage_sport on stage (sport, ordinal, id) where published;
create index stage_type on stage (type, ordinal, id) where published;
create index stage_updated_at on stage (updated_at, id);
create index stage_account on stage (account_id, ordinal, id);
create index stage_ordinal on stage (ordinal, id) where published;

create table participant (
  id uuid primary key default uuidv7(),
  account_id uuid not null,
  version int not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  published boolean not null,
  season_id uuid not null references season,
  contest_id uuid references contest,             -- null: of the whole season
  sport text not null,
  type text not null,
  team_id uuid,                                   -- a team of the organizations area
  athlete_id uuid,                                -- an athlete of the athletes area; null for one whom nobody names
  member_ids uuid[] not null default '{}',        -- athletes of a pair or relay
  name text,                                      -- of a team or relay: persons have theirs in the athletes area
  represents_team_id uuid,
  represents_name text,                           -- of a team that is none of the platform
  represents_country text,
  group_name text,
  seed int,
  entry text,
  bracket_position int,
  bib text
);
create unique index participant_team on participant (season_id, contest_id, team_id) nulls not distinct where team_id is not null;
create unique index participant_athlete on participant (season_id, contest_id, athlete_id) nulls not distinct where athlete_id is not null;
create index participant_season on participant (season_id, created_at, id);
create index participant_contest on participant (contest_id, created_at, id);
create index participant_of_team on participant (team_id, created_at, id);
create index participant_created_at on participant (created_at, id) where published;
create index participant_group on participant (group_name, created_at, id) where published;
create index participant_updated_at on participant (updated_at, id);
create index participant_account on participant (account_id, created_at, id);

create table match (
  id uuid primary key default uuidv7(),
  account_id uuid not null,
  version int not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  status text not null default 'SCHEDULED',
  status_reason text,
  published boolean not null,
  season_id uuid not null references season,
  competition_id uuid not null,
  contest_id uuid not null references contest,
  stage_id uuid not null references stage,
  sport text not null,
  group_name text,
  round text,
  matchday int,
  leg int,
  tie_id text,
  date date,                                      -- in the time zone of the place
  start_time timestamptz(3),
  starts_at timestamptz(3) not null,              -- what lists are sorted by: the start, or the beginning of the day, or of the season
  time_zone text,
  venue jsonb,
  format jsonb,
  officials jsonb not null default '[]',
  attendance int
);
create index match_starts_at on match (starts_at, id) where published;
create index match_sport on match (sport, starts_at, id) where published;
create index match_status on match (status, starts_at, id) where published;
create index match_group on match (group_name, starts_at, id) where published;
create index match_matchday on match (matchday, starts_at, id) where published;
create index match_competition on match (competition_id, starts_at, id);
create index match_season on match (season_id, starts_at, id);
create index match_contest on match (contest_id, starts_at, id);
create index match_stage on match (stage_id, starts_at, id);
create index match_updated_at on match (updated_at, id);
create index match_account on match (account_id, starts_at, id);
-- A season is not over while one of these is open.
create index match_open on match (season_id)
  where status in ('SCHEDULED', 'TIMED', 'IN_PLAY', 'PAUSED', 'EXTRA_TIME', 'PENALTY_SHOOTOUT', 'POSTPONED', 'SUSPENDED');

-- An entry in a match, and its part of the match's result.
create table match_participant (
  id uuid primary key default uuidv7(),
  match_id uuid not null references match on delete cascade,
  ordinal int not null,                           -- from 0, in the order of the programme
  participant_id uuid references participant,     -- null while it is not known
  team_id uuid,                                   -- the participant's
  athlete_ids uuid[] not null default '{}',       -- the participant's athlete, its members, and the team sheet
  placeholder_text text,
  source_match_id uuid references match,
  source_outcome text,
  side text,
  lane int,
  bib text,
  seed int,
  bye boolean not null default false,
  lineup jsonb not null default '[]',             -- [{athleteId, position, shirtNumber, starter, captain}]
  result jsonb,                                   -- of the current version of the match's result; null without one
  starts_at timestamptz(3) not null,              -- the match's
  published boolean not null,                     -- the match's
  constraint match_participant_once unique (match_id, participant_id),
  constraint match_participant_ordinal unique (match_id, ordinal) deferrable initially immediate
);
create index match_participant_participant on match_participant (participant_id, starts_at, match_id);
create index match_participant_team on match_participant (team_id, starts_at, match_id);
create index match_participant_athletes on match_participant using gin (athlete_ids);
create index match_participant_source on match_participant (source_match_id);

create table match_action (
  id uuid primary key default uuidv7(),
  account_id uuid not null,
  version int not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  published boolean not null,
  match_id uuid not null references match on delete cascade,
  type text not null,
  period int,
  minute int,
  added_minute int,
  participant_id uuid references participant,
  athlete_id uuid,
  assist_id uuid,
  score_after int[]
);
create index match_action_match on match_action (match_id, period, minute, added_minute, id);
create index match_action_participant on match_action (participant_id);

-- The head of a match's result; what each participant did is in match_participant.
create table result (
  id uuid primary key default uuidv7(),
  account_id uuid not null,
  version int not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  published boolean not null,
  status text not null,
  match_id uuid not null references match on delete cascade,
  season_id uuid not null references season,
  contest_id uuid not null references contest,
  stage_id uuid not null references stage,
  sport text not null,
  duration text not null default 'REGULAR',
  ended_by jsonb,                                 -- {method, period, clockMs}
  reason text,
  certified_at timestamptz(3),
  starts_at timestamptz(3) not null,              -- the match's
  constraint result_match unique (match_id)
);
create index result_starts_at on result (starts_at, id) where published;
create index result_sport on result (sport, starts_at, id) where published;
create index result_season on result (season_id, starts_at, id);
create index result_contest on result (contest_id, starts_at, id);
create index result_stage on result (stage_id, starts_at, id);
create index result_status on result (status, starts_at, id) where published;
create index result_updated_at on result (updated_at, id);
create index result_account on result (account_id, starts_at, id);

-- Every version of a result as it was written, whole.
create table result_version (
  result_id uuid not null references result on delete cascade,
  version int not null,
  at timestamptz(3) not null default now(),
  status text not null,
  reason text,
  duration text not null,
  ended_by jsonb,
  participants jsonb not null,                    -- [{participantId, …}] as in match_participant.result
  primary key (result_id, version)
);

create table adjustment (
  id uuid primary key default uuidv7(),
  account_id uuid not null,
  version int not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  published boolean not null,
  season_id uuid not null references season,
  stage_id uuid not null references stage,
  participant_id uuid not null references participant,
  sport text not null,
  points int,
  time_ms bigint,
  reason text not null,
  constraint adjustment_one_kind check (num_nonnulls(points, time_ms) = 1)
);
create index adjustment_season on adjustment (season_id, created_at, id);
create index adjustment_stage on adjustment (stage_id);
create index adjustment_participant on adjustment (participant_id, created_at, id);
create index adjustment_created_at on adjustment (created_at, id) where published;
create index adjustment_updated_at on adjustment (updated_at, id);
create index adjustment_account on adjustment (account_id, created_at, id);

create table tie_break_decision (
  id uuid primary key default uuidv7(),
  account_id uuid not null,
  version int not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  published boolean not null,
  season_id uuid not null references season,
  stage_id uuid not null references stage,
  group_name text,
  sport text not null,
  participant_ids uuid[] not null,                -- the highest first
  criterion text not null,
  reason text not null
);
create index tie_break_decision_season on tie_break_decision (season_id, created_at, id);
create index tie_break_decision_stage on tie_break_decision (stage_id, created_at, id);
create index tie_break_decision_created_at on tie_break_decision (created_at, id) where published;
create index tie_break_decision_updated_at on tie_break_decision (updated_at, id);
create index tie_break_decision_account on tie_break_decision (account_id, created_at, id);

-- Rankings as they stand, computed anew for what a write touches, in its transaction; always equal to a full rebuild.
create table ranking (
  id uuid primary key default uuidv7(),           -- made from what it is of
  version int not null default 1,
  season_id uuid not null references season on delete cascade,
  contest_id uuid references contest on delete cascade, -- null: of the whole season
  stage_id uuid references stage on delete cascade,     -- null: of the whole contest or season
  group_name text,
  type text not null default 'TOTAL',
  classification text,
  method text not null,
  ordinal int not null default 0,                 -- order of the rankings of a contest
  rows jsonb not null,
  row_count int generated always as (jsonb_array_length(rows)) stored,
  updated_at timestamptz(3) not null default now(),
  constraint ranking_scope unique nulls not distinct (season_id, contest_id, stage_id, group_name, type, classification)
);
create index ranking_stage on ranking (stage_id);
create index ranking_contest on ranking (contest_id);

-- The best legal mark of an athlete in an event, over all seasons.
create table best_mark (
  athlete_id uuid not null,
  sport text not null,
  event_code text not null,
  category text not null,
  course text not null,                           -- empty where it makes no difference
  value bigint not null,
  direction int not null,                         -- 1: the lower the better; -1: the higher
  rank_value bigint generated always as (value * direction) stored,
  unit text not null,
  wind_mm_per_s int,
  match_id uuid not null references match on delete cascade,
  participant_id uuid not null references participant,
  held_on date,
  primary key (athlete_id, sport, event_code, category, course)
);
create index best_mark_order on best_mark (sport, event_code, category, course, rank_value, athlete_id);
create index best_mark_match on best_mark (match_id);

create table replay (
  id uuid primary key default uuidv7(),
  account_id uuid not null,
  version int not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  status text not null default 'DRAFT',
  status_reason text,                             -- why a moderator took it down
  published boolean not null default false,       -- everybody sees it: published, and its competition too
  match_id uuid references match,
  season_id uuid references season,               -- the match's
  athlete_id uuid,
  athlete_ids uuid[] not null default '{}',       -- the athlete, and those of the tags
  reviewed_athlete_ids uuid[] not null default '{}', -- those that were in it when a moderator published it
  sport text,
  title text not null,
  kind text not null,
  url text not null,
  duration_seconds int,
  language text,
  rights_holder text,
  territories text[] not null default '{}',
  expires_at timestamptz(3),
  constraint replay_of check (num_nonnulls(match_id, athlete_id) >= 1)
);
create index replay_created_at on replay (created_at, id) where published;
create index replay_sport on replay (sport, created_at, id) where published;
create index replay_kind on replay (kind, created_at, id) where published;
create index replay_language on replay (language, created_at, id) where published;
create index replay_match on replay (match_id, created_at, id);
create index replay_season on replay (season_id, created_at, id);
create index replay_athletes on replay using gin (athlete_ids);
create index replay_updated_at on replay (updated_at, id);
create index replay_account on replay (account_id, created_at, id);
create index replay_review on replay (created_at, id) where status = 'REVIEW';
create index replay_expires_at on replay (expires_at) where status in ('PUBLISHED', 'REVIEW');

create table replay_tag (
  id uuid primary key default uuidv7(),
  replay_id uuid not null references replay on delete cascade,
  athlete_id uuid not null,
  action text,
  at_ms bigint
);
create index replay_tag_replay on replay_tag (replay_id, at_ms, id);
