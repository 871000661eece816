-- Matches that are part of another match, such as the singles and the doubles of a team tie.
alter table match add column parent_id uuid references match;
create index match_parent on match (parent_id, starts_at, id) where parent_id is not null;
