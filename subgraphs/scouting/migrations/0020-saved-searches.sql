-- Searches that the platform runs again for an account, and what they found (saved-searches/).
create table saved_search (
  id uuid primary key default uuidv7(),
  account_id uuid not null,
  version int not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  name text not null,
  kind text not null check (kind in ('ATHLETES', 'PROSPECTS', 'OPPORTUNITIES')),
  filter jsonb not null,                          -- {"athletes": {…}}: the list with its filter
  interval_minutes int not null default 60 check (interval_minutes between 5 and 10080),
  shortlist_id uuid references shortlist on delete set null,
  paused boolean not null default false,
  last_matched_at timestamptz(3),
  -- the state of the matching, which is not part of the resource
  next_run_at timestamptz(3) not null default now(),
  changed_since timestamptz(3) not null default now(),   -- changes before this time were searched
  change_cursor text,                                    -- continues an unfinished walk through the changes
  changes_read_at timestamptz(3),                        -- the start of that walk
  scanned_at timestamptz(3) not null default now(),      -- the last time the newest matches were compared with the known ones
  known_before timestamptz(3)                            -- set if the baseline is incomplete: older athletes and opportunities are known
);
create index saved_search_account on saved_search (account_id, created_at, id);
create index saved_search_changes on saved_search (account_id, updated_at, id);
create index saved_search_shortlist on saved_search (shortlist_id, created_at, id) where shortlist_id is not null;
create index saved_search_due on saved_search (next_run_at, id) where not paused;

-- The athletes and opportunities that a search has found, so that each is reported once.
create table saved_search_subject (
  id uuid primary key default uuidv7(),
  search_id uuid not null references saved_search on delete cascade,
  subject_id uuid not null,                       -- an athlete or an opportunity
  added_at timestamptz(3) not null default now(),
  matched_at timestamptz(3),                      -- null: part of the baseline, or the match was deleted
  constraint saved_search_subject_once unique (search_id, subject_id)
);
create index saved_search_subject_matches on saved_search_subject (search_id, matched_at, id) where matched_at is not null;
create index saved_search_subject_matched on saved_search_subject (matched_at) where matched_at is not null;
create index saved_search_subject_subject on saved_search_subject (subject_id);
create index saved_search_subject_added on saved_search_subject (added_at);

-- Deletes matches after 90 days. The id of the subject stays with the search, so that it is not reported again.
create function prune_saved_search_matches(p_consumed bigint, p_limit int) returns bigint
language sql security definer set search_path from current
begin atomic
  with old as (
    select id from saved_search_subject where matched_at < now() - interval '90 days' order by matched_at limit p_limit for update skip locked
  ), deleted as (
    update saved_search_subject set matched_at = null where id = any(array(select id from old)) returning 1
  )
  select count(*) from deleted;
end;
