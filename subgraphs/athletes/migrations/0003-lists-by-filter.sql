-- A filter by a rare value, or by one that nobody has, walked the whole table to fill a page: every single filter has its index.
create index athlete_sports on athlete using gin (sport_codes) where status = 'ACTIVE';
create index athlete_nationalities on athlete using gin (nationalities) where status = 'ACTIVE';
create index athlete_sex on athlete (sex, created_at, id) where status = 'ACTIVE';
create index athlete_open on athlete (open_to_opportunities, created_at, id) where status = 'ACTIVE';
create index athlete_verified on athlete (verified, created_at, id) where status = 'ACTIVE';
create index athlete_sport_discipline on athlete_sport (discipline);

-- The few whose age rests on the word of their account: looked through when that loses its verification (store/adulthood.ts).
create index athlete_confirmed on athlete (account_id) where adult_confirmed and adult_from is not null and date_of_birth is null and birth_year is null;
