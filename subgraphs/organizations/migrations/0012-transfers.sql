-- Transfers of athletes. The memberships that a transfer ends and starts are the career; a transfer adds its type, fee and loan.
create table transfer (
  id uuid primary key default uuidv7(),
  account_id uuid not null,                       -- the new organization's side, or the previous one's without a new one
  from_account_id uuid,                           -- the previous organization's side
  person_account_id uuid not null,                -- the athlete's side
  version int not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  status text not null check (status in ('PENDING', 'COMPLETED', 'CANCELLED')),
  type text not null check (type in ('PERMANENT', 'LOAN', 'LOAN_RETURN', 'FREE', 'YOUTH_PROMOTION', 'RETIREMENT')),
  date date not null,
  athlete_id uuid not null,
  sport text,
  from_organization_id uuid references organization,
  from_team_id uuid references team,
  from_membership_id uuid references membership on delete set null,
  to_organization_id uuid references organization,
  to_team_id uuid references team,
  to_membership_id uuid references membership on delete set null,
  fee jsonb,                                      -- {disclosed, amountMinor, currency}
  loan_until date,
  check (loan_until is null or type = 'LOAN' and loan_until >= date)
);
create unique index transfer_one on transfer (athlete_id, date, sport, from_organization_id, from_team_id, to_organization_id, to_team_id)
  nulls not distinct where status <> 'CANCELLED';
-- An index for every filter whose values may be rare, in the order of the list.
create index transfer_date on transfer (date, id);
create index transfer_updated_at on transfer (updated_at, id);
create index transfer_athlete on transfer (athlete_id, date, id);
create index transfer_from_organization on transfer (from_organization_id, date, id);
create index transfer_to_organization on transfer (to_organization_id, date, id);
create index transfer_from_team on transfer (from_team_id, date, id);
create index transfer_to_team on transfer (to_team_id, date, id);
create index transfer_type on transfer (type, date, id);
create index transfer_sport on transfer (sport, date, id);
create index transfer_status on transfer (status, date, id);
create index transfer_account on transfer (account_id);
create index transfer_from_account on transfer (from_account_id);
create index transfer_person_account on transfer (person_account_id);
create index transfer_from_membership on transfer (from_membership_id);
create index transfer_to_membership on transfer (to_membership_id);
