-- Nobody who asks waits for entries that were not sorted in yet.
alter index prospect_nations set (fastupdate = off);
-- Positions are those of a sport: taken for independent, a category and a group of positions seem smaller than they are, and would be read whole.
create statistics prospect_asked (dependencies, mcv) on sport, sex, position_group from prospect;
