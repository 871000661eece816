-- Titles that a match decides, such as a world title in boxing.
alter table match add column titles text[] not null default '{}';
-- The sport class of a Para contest, such as T44 or S9.
alter table contest add column sport_class text;
-- The clock of a match: {period, clockMs, running, at}. Actions have the time in their period.
alter table match add column clock jsonb;
alter table match_action add column clock_ms int;
