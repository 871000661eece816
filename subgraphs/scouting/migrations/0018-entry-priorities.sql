-- Entries of a shortlist by priority (shortlist-entries/reads.ts).
create index shortlist_entry_priority on shortlist_entry (shortlist_id, (array_position('{LOW,MEDIUM,HIGH}'::text[], priority)), id);
