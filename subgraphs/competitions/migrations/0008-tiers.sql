-- The place of a competition among those of its country, and where its best go.
alter table competition add column tier int, add column promotes_to_id uuid references competition;
create index competition_promotes_to on competition (promotes_to_id) where promotes_to_id is not null;
create index match_matchdays on match (season_id, matchday) where matchday is not null;
