-- The default list: sport by sport, emerging talents first (talent/emerging.ts). Rows get their places by a sweep.
alter table prospect add column list_place int not null default 0;
create index prospect_list_place on prospect (list_place, id) where is_primary;
create index prospect_sport_list_place on prospect (sport, list_place, id) where is_primary;
create index prospect_emerging_list_place on prospect (list_place, id) where is_primary and emerging;
-- Some countries practise some sports only: a walk along the places would read all athletes of the others.
drop index prospect_country;
create index prospect_country on prospect (country, list_place, id) where is_primary;
insert into projection_sweep (name) values ('athletes');
