-- What a report says in words and by aspect, and the list of all reports of an account.
alter table scouting_report
  add column sport text,
  add column author text,
  add column role text,
  add column summary text,
  add column strengths text[] not null default '{}',
  add column weaknesses text[] not null default '{}',
  add column overall real,
  add column potential real,
  add column aspects jsonb not null default '[]',    -- [{code, rating, comment}]
  add column clips jsonb not null default '[]';      -- [{url, title, atMs}]
create index scouting_report_account on scouting_report (account_id, date, id);
create index scouting_report_changes on scouting_report (account_id, updated_at, id);
create index scouting_report_match on scouting_report (match_id) where match_id is not null;
create index shortlist_entry_named on shortlist_entry (named_id);
