-- Readers with a key also see profiles open to organizations when they hold a verified one. An index of public rows alone
-- cannot serve that condition, and their lists were sorted over the whole table; the visibility is a filter on few rows.
drop index athlete_created_at, athlete_name, athlete_country, athlete_birth;
create index athlete_created_at on athlete (created_at, id) where status = 'ACTIVE';
create index athlete_name on athlete (display_name collate "und-x-icu", id) where status = 'ACTIVE';
create index athlete_country on athlete (country, created_at, id) where status = 'ACTIVE';
create index athlete_birth on athlete (date_of_birth) where status = 'ACTIVE';
