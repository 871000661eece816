-- Organizations of a city.
create index organization_city on organization (platform.fold(city), created_at, id) where city is not null;
