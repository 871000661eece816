-- The same membership is not proposed twice, not even at the same moment.
create unique index membership_one_proposal on membership (athlete_id, organization_id, team_id, sport, type, start_date) nulls not distinct
  where status in ('INVITED', 'REQUESTED') and athlete_id is not null;
