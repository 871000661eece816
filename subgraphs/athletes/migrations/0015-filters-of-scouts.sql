-- Filters by languages, height, foot, hand, availability and the end of the contract.
create function language_codes(languages text[]) returns text[] language sql immutable strict as $$
  select coalesce(array_agg(distinct code), '{}')
  from unnest(languages) as language, unnest(array[language, split_part(language, '-', 1)]) as code
$$;
-- With the tag `pt-BR` also its language `pt`.
alter table athlete add column language_codes text[] not null generated always as (language_codes(languages)) stored;
create index athlete_languages on athlete using gin (language_codes) where status = 'ACTIVE';
create index athlete_height on athlete (height_cm) where status = 'ACTIVE' and height_cm is not null;
create index athlete_foot on athlete (dominant_foot, created_at, id) where status = 'ACTIVE' and dominant_foot is not null;
create index athlete_hand on athlete (dominant_hand, created_at, id) where status = 'ACTIVE' and dominant_hand is not null;
create index athlete_availability on athlete using gin ((availability -> 'types')) where status = 'ACTIVE' and open_to_opportunities;

alter table membership add column contract_until date;
create index membership_contract on membership (contract_until, athlete_id) where contract_until is not null;
-- The retained events are projected again, with the end of the contract.
update membership set version = 0;
update inbox set position = 0, event_id = null where source = 'organizations';
