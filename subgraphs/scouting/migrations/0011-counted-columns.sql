-- Facets are counted from the index alone: the rows of a level or a sport are spread over as many pages.
drop index prospect_level, prospect_sport_score;
create index prospect_level on prospect (sport, level, talent_score, id)
  include (athlete_id, age_band, position_group, country, sex) where is_primary;
create index prospect_sport_score on prospect (sport, talent_score, id)
  include (athlete_id, age_band, position_group, country, sex, level) where is_primary;
