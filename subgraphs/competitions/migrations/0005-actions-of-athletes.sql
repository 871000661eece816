-- Who is merged is looked for in all matches: a match that has no team sheets names people in its actions alone.
create index match_action_athlete on match_action (athlete_id) where athlete_id is not null;
create index match_action_assist on match_action (assist_id) where assist_id is not null;
