-- What guardians agreed to: a row is never changed but for its withdrawal.
create table consent (
  id uuid primary key default uuidv7(),
  account_id uuid not null,
  version int not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  athlete_id uuid not null references athlete on delete cascade,
  guardian jsonb not null,
  scopes text[] not null check (scopes <@ '{PROFILE,MEDIA,PROFILING,CONTACT}' and cardinality(scopes) > 0),
  text_version text not null,
  evidence jsonb not null,
  withdrawn_at timestamptz(3),
  withdrawal_reason text
);
create index consent_athlete on consent (athlete_id, created_at, id);

-- The scopes in force: those of consents that were not withdrawn, while their account holds a verified organization (store/consented.ts).
alter table athlete add column consent_scopes text[] not null default '{}';
-- Shown as a minor until the owner activates the adult: turning 18 publishes nothing by itself.
alter table athlete add column activated_as_minor boolean not null default false;
create index athlete_consented on athlete (account_id) where consent_scopes <> '{}';

alter table organization_account add column safeguarded boolean not null default false;
create index organization_account_safeguarded on organization_account (account_id) where verified and safeguarded;
-- The events that are kept are projected anew, for the safeguarding officers there are.
update inbox set position = 0, event_id = null where source = 'organizations';

-- Who read more of a minor than everybody may: one row a key and day.
create table minor_access (
  athlete_id uuid not null references athlete on delete cascade,
  day date not null,
  account_id uuid not null,
  key_id text not null,
  id uuid not null default gen_random_uuid(),
  scopes text[] not null,
  reads int not null default 1,
  first_at timestamptz(3) not null default now(),
  last_at timestamptz(3) not null default now(),
  primary key (athlete_id, day, account_id, key_id)
);
create unique index minor_access_id on minor_access (athlete_id, last_at, id);
