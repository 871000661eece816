-- The list of a sport by the end of contracts walked through every athlete of the sport: few have a contract that ends soon.
-- The earliest end of a contract of the athlete's memberships stands beside the facts of each sport (athletes/contracts.ts).
alter table athlete_sport add column contract_until date;

-- A membership of the past may be among them: lists check the membership itself too.
create function earliest_contract(athlete uuid) returns date language sql stable set search_path from current as $$
  select min(contract_until) from membership where athlete_id = athlete and status in ('ACTIVE', 'ON_LOAN')
$$;
update athlete_sport s set contract_until = m.contract_until
from (select athlete_id, min(contract_until) as contract_until from membership where status in ('ACTIVE', 'ON_LOAN') group by athlete_id) m
where m.athlete_id = s.athlete_id and m.contract_until is not null;

create index athlete_sport_contracts on athlete_sport (sport, created_at, athlete_id) include (contract_until, level, discipline, positions)
where contract_until is not null;
