-- A projection of the athletes area: whose profile everybody may see. Who is not in it is hidden, and so are the memberships.
create table public_athlete (
  athlete_id uuid primary key
);
