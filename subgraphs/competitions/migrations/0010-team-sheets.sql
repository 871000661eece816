-- The formation of a side, and its coaches. Players of a line-up may have a name instead of a profile.
alter table match_participant add column formation text, add column staff jsonb not null default '[]';
