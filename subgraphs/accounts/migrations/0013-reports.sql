-- What accounts report to the moderators; and the audit log of this area, where what the command line did is shown as well.
create table report (
  id uuid primary key default uuidv7(),
  account_id uuid not null references account (id),                     -- who reports
  version int not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  subject_type text not null check (subject_type in ('ATHLETE', 'ORGANIZATION', 'OPPORTUNITY', 'REPLAY', 'COMPETITION')),
  subject_id uuid not null,                                             -- an id of another area: no foreign key
  category text not null check (category in ('IMPERSONATION', 'WRONG_DATA', 'MINOR_SHOWN', 'ABUSE', 'COPYRIGHT', 'OTHER')),
  text text not null check (char_length(text) between 1 and 2000),
  status text not null default 'OPEN' check (status in ('OPEN', 'UPHELD', 'DISMISSED')),
  note text check (char_length(note) between 1 and 2000),
  resolved_at timestamptz(3),
  resolved_by uuid,                                                     -- the administrator; null: the command line
  check ((status = 'OPEN') = (resolved_at is null))
);
create index report_account on report (account_id, created_at, id);
create index report_created on report (created_at, id);
create index report_open on report (created_at, id) where status = 'OPEN';
create index report_subject on report (subject_type, subject_id);
create unique index report_once on report (account_id, subject_type, subject_id, category) where status = 'OPEN';

create index history_audited on history (at, id) where actor ->> 'kind' in ('ADMINISTRATOR', 'SYSTEM');
