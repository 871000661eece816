-- Each filter of prospects has its index: without one, a rare value is looked for in the whole table.
create index prospect_sex on prospect (sex, talent_score, id);
create index prospect_country on prospect (country, talent_score, id);
create index prospect_born_by on prospect (born_by);
