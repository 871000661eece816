create table opportunity (
  id uuid primary key default uuidv7(),
  account_id uuid not null,
  version int not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  status text not null default 'DRAFT' check (status in ('DRAFT', 'PUBLISHED', 'PAUSED', 'CLOSED', 'CANCELLED', 'ARCHIVED')),
  type text not null check (type in ('SCHOLARSHIP', 'TRIAL', 'SHOWCASE', 'TALENT_REQUEST')),
  organization_id uuid not null,                  -- of the organizations area, of the same account
  title text not null,
  description text not null,
  sport text not null,
  disciplines text[] not null default '{}',
  positions text[] not null default '{}',
  sex text,
  age_range jsonb,
  nationalities text[] not null default '{}',
  country text,
  venue text,
  start_date date,
  end_date date,
  application_opens_at timestamptz(3),
  application_deadline timestamptz(3) not null,
  total_openings int not null check (total_openings > 0),
  remaining_openings int not null,
  requirements jsonb not null default '[]',
  languages text[] not null default '{}',
  minors_allowed boolean not null default false,
  award jsonb,
  academic jsonb,
  sessions jsonb not null default '[]',
  attending_organization_ids uuid[] not null default '{}',
  livestream_url text,
  profile jsonb,
  contract_type text,
  age_min int generated always as ((age_range ->> 'min')::int) stored,
  age_max int generated always as ((age_range ->> 'max')::int) stored,
  search text not null,
  constraint opportunity_openings check (remaining_openings between 0 and total_openings)
);
-- Lists show what is open unless asked otherwise: published, with the deadline to come.
create index opportunity_open_created_at on opportunity (created_at, id) where status = 'PUBLISHED';
create index opportunity_open_deadline on opportunity (application_deadline, id) where status = 'PUBLISHED';
create index opportunity_open_sport on opportunity (sport, created_at, id) where status = 'PUBLISHED';
create index opportunity_created_at on opportunity (created_at, id);
create index opportunity_updated_at on opportunity (updated_at, id);
create index opportunity_organization on opportunity (organization_id, application_deadline, id);
create index opportunity_account on opportunity (account_id, created_at, id);
create index opportunity_positions on opportunity using gin (positions);
create index opportunity_search on opportunity using gin (search gin_trgm_ops);
