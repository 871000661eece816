-- Who is erased or merged is looked for in all seasons.
create index participant_of_athlete on participant (athlete_id) where athlete_id is not null;
