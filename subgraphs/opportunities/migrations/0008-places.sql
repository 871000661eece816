-- Where opportunities take place: a city, and {latitude, longitude} in degrees. `position` is (longitude, latitude).
alter table opportunity add column city text, add column coordinates jsonb, add column position point generated always as (
    point((coordinates ->> 'longitude')::float8, (coordinates ->> 'latitude')::float8)) stored;
create index opportunity_position on opportunity using gist (position) where position is not null;
create index opportunity_city on opportunity (platform.fold(city), created_at, id) where city is not null;
