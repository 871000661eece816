-- Statistics that are counted from matches: a row of each athlete and match, and the sums and bests of them.
alter table statistics add column match_id uuid;
alter table statistics add constraint statistics_match check ((scope = 'MATCH') = (match_id is not null)) not valid;
-- The sport as well: who has a career in two sports has two.
alter table statistics drop constraint statistics_one_row;
alter table statistics add constraint statistics_one_row
  unique nulls not distinct (athlete_id, scope, sport, match_id, season_id, competition_id, team_id, event_code, source);
create index statistics_match on statistics (match_id, updated_at, id);

-- Careers, seasons, matches; of each what was computed before what was reported: the highest is shown first.
alter table statistics add column shown_order int not null generated always as (
  case scope when 'CAREER' then 20 when 'SEASON' then 10 else 0 end + case source when 'COMPUTED' then 2 when 'PROVIDER' then 1 else 0 end) stored;
create index statistics_shown on statistics (shown_order, id);
create index statistics_athlete_shown on statistics (athlete_id, shown_order, id);

-- Rows of matches are so many that a rare value among them needs an index of its own.
create index statistics_scope on statistics (scope, updated_at, id);
create index statistics_source on statistics (source, updated_at, id);
create index statistics_sport on statistics (sport, updated_at, id);
