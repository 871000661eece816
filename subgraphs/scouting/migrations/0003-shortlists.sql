-- What an account keeps about athletes, for itself alone.
create table shortlist (
  id uuid primary key default uuidv7(),
  account_id uuid not null,
  version int not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  name text not null,
  description text
);
create index shortlist_account on shortlist (account_id, created_at, id);
create index shortlist_changes on shortlist (account_id, updated_at, id);

create table shortlist_entry (
  id uuid primary key default uuidv7(),
  account_id uuid not null,
  version int not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  shortlist_id uuid not null references shortlist on delete cascade,
  athlete_id uuid not null,                       -- whom it is about now; leaves this area only as a reference between areas
  named_id uuid not null,                         -- the id the account gave: of a profile that may have become one with another since
  stage text not null default 'IDENTIFIED'
    check (stage in ('IDENTIFIED', 'WATCHLIST', 'SCOUTED', 'SHORTLISTED', 'CONTACTED', 'SIGNED', 'REJECTED', 'ON_HOLD', 'LOST')),
  priority text not null default 'MEDIUM' check (priority in ('LOW', 'MEDIUM', 'HIGH')),
  notes text,
  constraint shortlist_entry_once unique (shortlist_id, athlete_id)
);
create index shortlist_entry_list on shortlist_entry (shortlist_id, created_at, id);
create index shortlist_entry_changes on shortlist_entry (shortlist_id, updated_at, id);
create index shortlist_entry_athlete on shortlist_entry (athlete_id);

create table scouting_report (
  id uuid primary key default uuidv7(),
  account_id uuid not null,
  version int not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  entry_id uuid not null references shortlist_entry on delete cascade,
  date date not null,
  match_id uuid,                                  -- of the competitions area
  ratings jsonb not null,
  recommendation text not null check (recommendation in ('SIGN', 'FOLLOW', 'REJECT'))
);
create index scouting_report_entry on scouting_report (entry_id, date, id);
