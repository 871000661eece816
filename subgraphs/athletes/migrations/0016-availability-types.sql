-- A list of texts has statistics, which a list in JSON has not: the planner then knows how rare a type is.
create function texts_of(list jsonb) returns text[] language sql immutable strict as $$
  select coalesce(array_agg(value), '{}') from jsonb_array_elements_text(list) as value
$$;
alter table athlete add column availability_types text[] not null
  generated always as (case when (availability ->> 'openToOpportunities')::boolean then coalesce(texts_of(availability -> 'types'), '{}') else '{}' end) stored;
drop index athlete_availability;
create index athlete_availability on athlete using gin (availability_types) where status = 'ACTIVE';
