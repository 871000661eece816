-- Divisions within a group, such as those of a conference.
alter table participant add column division text;
