-- Similar athletes: the nearest profiles of the same sport, category, and position group or event (skills/profile.ts). Rows get them by a sweep.
alter table prospect add column profile_group text, add column profile platform.cube;
create index prospect_profile on prospect using gist (profile_group, profile) where is_primary and profile_group is not null;
insert into projection_sweep (name) values ('athletes');
