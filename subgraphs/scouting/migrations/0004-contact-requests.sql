-- Who asked the owner of an athlete to be put in touch.
create table contact_request (
  id uuid primary key default uuidv7(),
  account_id uuid not null,                       -- who asks
  version int not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  owner_account_id uuid not null,                 -- whose the athlete is: who answers
  athlete_id uuid not null,                       -- who is asked for; leaves this area only as a reference between areas
  named_id uuid not null,                         -- the id the sender gave: of a profile that may have become one with another since
  organization_id uuid,                           -- of the organizations area, of the account that asks
  status text not null default 'SENT' check (status in ('SENT', 'ACCEPTED', 'DECLINED', 'EXPIRED')),
  message text not null,
  answer text,
  answered_at timestamptz(3),
  expires_at timestamptz(3) not null
);
create index contact_request_sender on contact_request (account_id, created_at, id);
create index contact_request_owner on contact_request (owner_account_id, created_at, id);
create index contact_request_athlete on contact_request (athlete_id, created_at, id);
create index contact_request_due on contact_request (expires_at) where status = 'SENT';
create unique index contact_request_one on contact_request (account_id, athlete_id) where status = 'SENT';
