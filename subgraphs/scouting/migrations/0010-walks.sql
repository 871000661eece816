-- What a walk along the scores compares is in the index: rows are read of those alone who are found.
drop index prospect_asked_score, prospect_living_score;
create index prospect_asked_score on prospect (sport, sex, position_group, talent_score, id)
  include (athlete_id, open_to_opportunities, positions, born_by, nationalities, organization_ids) where open_to_opportunities is distinct from false;
create index prospect_living_score on prospect (sport, left(country, 2), talent_score, id)
  include (athlete_id, country, sex, open_to_opportunities, positions, born_by, nationalities, organization_ids) where open_to_opportunities is distinct from false;
