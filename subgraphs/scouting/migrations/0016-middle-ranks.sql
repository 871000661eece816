-- Equal values have the middle of their places, and seasons are merged by metric (talent/compared-values.ts): rows are written again by a sweep.
insert into projection_sweep (name) values ('athletes');
