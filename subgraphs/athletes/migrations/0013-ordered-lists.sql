-- A leaderboard is one of a sport and scope, or made of theirs: each is in the order of its values, and nothing of others stands in between.
-- Before, careers, which have the largest values, were walked through to find the best seasons.
drop index statistic_metric_value;
create index statistic_metric_value on statistic_metric (key, sport, scope, value, statistics_id) include (source, competition_id);

-- The athletes of a sport in the order of lists, with what of the sport they are filtered by.
alter table athlete_sport add column created_at timestamptz(3);
update athlete_sport s set created_at = a.created_at from athlete a where a.id = s.athlete_id;
alter table athlete_sport alter column created_at set not null;
-- Filled in by itself, as it never changes: whoever writes a sport names its athlete and nothing twice, the version before this one too.
create function athlete_sport_created_at() returns trigger language plpgsql set search_path from current as $$
begin
  select a.created_at into new.created_at from athlete a where a.id = new.athlete_id;
  return new;
end $$;
create trigger athlete_sport_created_at before insert on athlete_sport for each row when (new.created_at is null) execute function athlete_sport_created_at();
create index athlete_sport_created on athlete_sport (sport, created_at, athlete_id) include (level, discipline, positions);

-- Few have both where many have each.
create index athlete_sports_nationalities on athlete using gin (sport_codes, nationalities) where status = 'ACTIVE';
drop index athlete_sports;
