-- A leaderboard is one of a sport, scope and source, or made of theirs: each is in the order of its values, and nothing of others stands in between.
-- Before, careers, which have the largest values, were walked through to find the best seasons.
drop index statistic_metric_value;
create index statistic_metric_value on statistic_metric (key, sport, scope, source, value, statistics_id);
-- That of a competition is made of those of its seasons.
create index statistics_competition_season on statistics (competition_id, season_id);

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
drop index athlete_sport_level;
create index athlete_sport_level on athlete_sport (sport, level, created_at, athlete_id) include (discipline, positions);

-- The athletes of a nation in the order of lists. How many there are of a rare value in an array PostgreSQL cannot tell, and took it for frequent:
-- the whole table was walked for a nation that nobody has.
create table athlete_nationality (
  athlete_id uuid not null references athlete on delete cascade,
  nationality text not null,
  created_at timestamptz(3) not null,
  primary key (athlete_id, nationality)
);
create index athlete_nationality_created on athlete_nationality (nationality, created_at, athlete_id);
create function keep_nationalities() returns trigger language plpgsql set search_path from current as $$
begin
  if tg_op = 'UPDATE' then
    delete from athlete_nationality where athlete_id = new.id and nationality <> all(new.nationalities);
  end if;
  insert into athlete_nationality (athlete_id, nationality, created_at)
  select distinct new.id, nationality, new.created_at from unnest(new.nationalities) nationality on conflict do nothing;
  return null;
end $$;
create trigger athlete_nationalities_inserted after insert on athlete for each row execute function keep_nationalities();
create trigger athlete_nationalities_updated after update of nationalities on athlete for each row
  when (new.nationalities is distinct from old.nationalities) execute function keep_nationalities();
insert into athlete_nationality (athlete_id, nationality, created_at) select distinct id, nationality, created_at from athlete, unnest(nationalities) nationality;

-- Few have both a sport and a nationality where many have each.
create index athlete_sports_nationalities on athlete using gin (sport_codes, nationalities) where status = 'ACTIVE';
drop index athlete_sports, athlete_nationalities;
