create table organization (
  id uuid primary key default uuidv7(),
  account_id uuid not null,
  version int not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  status text not null default 'DRAFT' check (status in ('DRAFT', 'ACTIVE', 'SUSPENDED', 'CLOSED')),
  type text not null check (type in ('CLUB', 'ACADEMY', 'UNIVERSITY', 'RECRUITER')),
  name text not null,
  legal_name text,
  short_name text,
  aliases text[] not null default '{}',
  country text not null,
  region text,
  city text,
  website text,
  email_domain text,
  founded_year int,
  logo_url text,
  sports text[] not null,
  level text,
  facilities jsonb not null default '[]',
  contact jsonb,
  parent_organization_id uuid references organization,
  safeguarding jsonb,
  athletic_division text,
  programmes text[] not null default '{}',
  licence_number text,
  licence_body text,
  licence_expires_at date,
  regions text[] not null default '{}',
  verification jsonb not null default '{"status": "UNVERIFIED", "method": null, "at": null}',
  verified boolean generated always as (verification ->> 'status' = 'VERIFIED') stored,
  search text not null
);
create index organization_created_at on organization (created_at, id) where status in ('ACTIVE', 'CLOSED');
create index organization_updated_at on organization (updated_at, id);
create index organization_name on organization (name collate "und-x-icu", id) where status in ('ACTIVE', 'CLOSED');
create index organization_country on organization (country, created_at, id) where status in ('ACTIVE', 'CLOSED');
create index organization_type on organization (type, created_at, id) where status in ('ACTIVE', 'CLOSED');
create index organization_account on organization (account_id, created_at, id);
create index organization_parent on organization (parent_organization_id);
create index organization_sports on organization using gin (sports);
create index organization_search on organization using gin (search gin_trgm_ops);

create table team (
  id uuid primary key default uuidv7(),
  account_id uuid not null,
  version int not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  name text not null,
  short_name text,
  sport text not null,
  discipline text,
  category text not null,
  age_group text not null,
  organization_id uuid references organization,
  country text,
  search text not null,
  check (num_nonnulls(organization_id, country) = 1)
);
create index team_name on team (name collate "und-x-icu", id);
create index team_created_at on team (created_at, id);
create index team_updated_at on team (updated_at, id);
create index team_organization on team (organization_id, (name collate "und-x-icu"), id);
create index team_account on team (account_id);
create index team_search on team using gin (search gin_trgm_ops);

create table membership (
  id uuid primary key default uuidv7(),
  account_id uuid not null,                       -- the organization's (or national team's) side
  person_account_id uuid,                         -- the athlete's side
  version int not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  status text not null check (status in ('INVITED', 'REQUESTED', 'ACTIVE', 'ON_LOAN', 'ENDED', 'DECLINED')),
  person_type text not null,
  athlete_id uuid,
  person_name text,
  organization_id uuid references organization,
  team_id uuid references team,
  sport text,
  role text not null,
  type text not null,
  start_date date,
  end_date date,
  contract_until date,
  shirt_number int,
  positions text[] not null default '{}',
  check (start_date is null or end_date is null or start_date <= end_date),
  constraint membership_one_permanent exclude using gist (
    athlete_id with =, sport with =, daterange(start_date, end_date, '[]') with &&
  ) where (status in ('ACTIVE', 'ON_LOAN', 'ENDED') and type = 'PERMANENT' and athlete_id is not null and sport is not null)
);
create index membership_created_at on membership (created_at, id);
create index membership_updated_at on membership (updated_at, id);
create index membership_organization on membership (organization_id, created_at, id);
create index membership_team on membership (team_id, created_at, id);
create index membership_athlete on membership (athlete_id);
create index membership_account on membership (account_id);
create index membership_person_account on membership (person_account_id);
