create table competition (
  id uuid primary key default uuidv7(),
  account_id uuid not null,
  version int not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  status text not null default 'DRAFT' check (status in ('DRAFT', 'PUBLISHED', 'ARCHIVED')),
  name text not null,
  code text,
  sport text not null,
  discipline text,
  type text not null,
  category text,
  age_group text,
  level text,
  country text,
  organizer_id uuid,                              -- an organization of the organizations area
  organizer_name text,
  search text not null,
  constraint competition_one_organizer check (num_nonnulls(organizer_id, organizer_name) <= 1)
);
create index competition_created_at on competition (created_at, id) where status in ('PUBLISHED', 'ARCHIVED');
create index competition_updated_at on competition (updated_at, id);
create index competition_name on competition (name collate "und-x-icu", id) where status in ('PUBLISHED', 'ARCHIVED');
create index competition_sport on competition (sport, created_at, id) where status in ('PUBLISHED', 'ARCHIVED');
create index competition_account on competition (account_id, created_at, id);
create index competition_organizer on competition (organizer_id);
create index competition_search on competition using gin (search gin_trgm_ops);

create table season (
  id uuid primary key default uuidv7(),
  account_id uuid not null,
  version int not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  status text not null default 'PLANNED' check (status in ('PLANNED', 'IN_PROGRESS', 'FINISHED', 'ARCHIVED', 'CANCELLED')),
  competition_id uuid not null references competition,
  published boolean not null,                     -- whether the competition was published: then the season is public
  sport text not null,                            -- the competition's, which never changes
  name text not null,
  start_date date not null,
  end_date date not null,
  constraint season_dates check (start_date <= end_date)
);
create unique index season_name on season (competition_id, name) where status <> 'CANCELLED';
create index season_competition on season (competition_id, start_date, id);
create index season_start_date on season (start_date, id) where published;
create index season_sport on season (sport, start_date, id) where published;
create index season_created_at on season (created_at, id);
create index season_updated_at on season (updated_at, id);
create index season_account on season (account_id, start_date, id);
