-- Applications of athletes, between two accounts: the one that owns the athlete, and the one of the opportunity.
create table application (
  id uuid primary key default uuidv7(),
  account_id uuid not null,                       -- the applicant's: the owner of the athlete
  opportunity_account_id uuid not null,           -- the other side; an opportunity never changes its account
  version int not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  status text not null default 'DRAFT' check (status in ('DRAFT', 'SUBMITTED', 'UNDER_REVIEW', 'SHORTLISTED', 'INVITED', 'OFFERED', 'ACCEPTED',
    'ENROLLED', 'WAITLISTED', 'REJECTED', 'WITHDRAWN', 'DECLINED', 'EXPIRED', 'RESCINDED')),
  opportunity_id uuid not null references opportunity (id),
  sport text not null,                            -- of the opportunity, which never changes it
  athlete_id uuid,                                -- null: erased, or counted with another profile
  answers jsonb not null default '[]',
  decision jsonb,
  submitted_at timestamptz(3),
  offered_at timestamptz(3),
  offer_expires_at timestamptz(3),                -- null: it stands until it is answered
  constraint application_once unique (opportunity_id, athlete_id)
);
create index application_account on application (account_id, created_at, id);
create index application_account_updated_at on application (account_id, updated_at, id);
create index application_received on application (opportunity_account_id, created_at, id) where status <> 'DRAFT';
create index application_received_updated_at on application (opportunity_account_id, updated_at, id) where status <> 'DRAFT';
create index application_opportunity on application (opportunity_id, created_at, id);
create index application_athlete on application (athlete_id, created_at, id);
create index application_offers on application (offer_expires_at, id) where status = 'OFFERED';

-- FILLED: every opening is taken. It is taken by who accepted, or is enrolled.
alter table opportunity drop constraint opportunity_status_check;
alter table opportunity add constraint opportunity_status_check
  check (status in ('DRAFT', 'PUBLISHED', 'PAUSED', 'CLOSED', 'FILLED', 'CANCELLED', 'ARCHIVED'));

-- What the timer closes.
create index opportunity_overdue on opportunity (application_deadline, id) where status in ('PUBLISHED', 'PAUSED');
