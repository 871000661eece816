-- Few compete at some levels.
create index prospect_level on prospect (sport, level, talent_score, id) where is_primary;
