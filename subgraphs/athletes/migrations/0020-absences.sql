-- When athletes are not available: suspensions, injuries and others. Injuries and illnesses are health data.
create table absence (
  id uuid primary key default uuidv7(),
  account_id uuid not null,                       -- the athlete's account, or the organizer's for a suspension
  version int not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  athlete_id uuid not null references athlete on delete cascade,
  kind text not null check (kind in ('INJURY', 'ILLNESS', 'SUSPENSION', 'INTERNATIONAL_DUTY', 'PERSONAL', 'OTHER')),
  disclosure text not null check (disclosure in ('OWNER', 'DATES', 'ALL')),
  start_date date not null,
  expected_end_date date check (expected_end_date >= start_date),
  end_date date check (end_date >= start_date),
  reason text,
  competition_id uuid,
  match_count int,
  health_consent jsonb,                           -- {textVersion, evidence, givenOn}
  check (kind = 'SUSPENSION' or (competition_id is null and match_count is null)),
  check (kind in ('INJURY', 'ILLNESS') or health_consent is null)
);
create index absence_start_date on absence (start_date, id);
create index absence_updated_at on absence (updated_at, id);
create index absence_athlete on absence (athlete_id, start_date, id);
create index absence_account on absence (account_id, start_date, id);
create index absence_kind on absence (kind, start_date, id);
create index absence_competition on absence (competition_id, start_date, id) where competition_id is not null;

-- guardians can consent to health data
alter table consent drop constraint consent_scopes_check;
alter table consent add constraint consent_scopes_check
  check (scopes <@ '{PROFILE,MEDIA,PROFILING,CONTACT,HEALTH}' and cardinality(scopes) > 0);
