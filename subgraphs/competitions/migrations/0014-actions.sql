-- Actions by players without a profile, whom the line-up names.
alter table match_action add column athlete_name text, add column assist_name text;

-- Actions are listed by period. Those that have a minute only came last: they get the period of the minute, as new ones do.
update match_action a set period = least(greatest(1, ceil(a.minute::numeric / p.minutes)::int), p.periods + 1)
from match m, (values ('FOOTBALL', 45, 2), ('BASKETBALL', 12, 4), ('RUGBY', 40, 2), ('HANDBALL', 30, 2)) p (sport, minutes, periods)
where m.id = a.match_id and p.sport = m.sport and a.period is null and a.minute is not null;
