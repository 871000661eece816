-- What leaderboards are filtered by stands beside the value, and in its index: rows of other sports, seasons and sources are passed over within
-- the index. They were joined one by one, seconds for a filter that few rows pass. None of it ever changes: it is part of what names a row.
alter table statistic_metric add column sport text, add column scope text, add column source text, add column season_id uuid, add column competition_id uuid;
update statistic_metric m set sport = s.sport, scope = s.scope, source = s.source, season_id = s.season_id, competition_id = s.competition_id
from statistics s where s.id = m.statistics_id;
alter table statistic_metric alter column sport set not null, alter column scope set not null, alter column source set not null;

-- Filled in by itself: whoever writes a number names its row of statistics and nothing twice, the version before this one too.
create function statistic_metric_facts() returns trigger language plpgsql set search_path from current as $$
begin
  select s.sport, s.scope, s.source, s.season_id, s.competition_id into new.sport, new.scope, new.source, new.season_id, new.competition_id
  from statistics s where s.id = new.statistics_id;
  return new;
end $$;
create trigger statistic_metric_facts before insert on statistic_metric for each row when (new.sport is null) execute function statistic_metric_facts();

drop index statistic_metric_value;
create index statistic_metric_value on statistic_metric (key, value, statistics_id, sport, scope, source, competition_id);
create index statistic_metric_season on statistic_metric (season_id, key, value, statistics_id, scope, source) where season_id is not null;
