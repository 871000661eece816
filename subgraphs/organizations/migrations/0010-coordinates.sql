-- Where organizations are: {latitude, longitude} in degrees. `position` has the order (longitude, latitude) of a point (x, y).
alter table organization add column coordinates jsonb, add column position point generated always as (
    point((coordinates ->> 'longitude')::float8, (coordinates ->> 'latitude')::float8)) stored;
create index organization_position on organization using gist (position) where position is not null;
