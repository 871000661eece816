-- What names are begun with: of every whole profile that anybody but its owner may see, each name from each of its words on, folded.
-- A list for each sport and visibility, of verified ones and of others, so that suggestions read the beginnings of few lists. Kept by the trigger below.
create table name_key (
  sport text collate "C" not null,
  visibility text collate "C" not null,
  unverified boolean not null,
  key text collate "C" not null,
  athlete_id uuid not null,
  source text not null check (source in ('DISPLAY_NAME', 'KNOWN_AS', 'GIVEN_AND_FAMILY_NAME')),
  primary key (sport, visibility, unverified, key, athlete_id) include (source)
);
create index name_key_athlete on name_key (athlete_id);

-- A name, or what of one is typed, as words between single spaces.
create function folded_words(name text) returns text
language sql immutable strict parallel safe
return btrim(regexp_replace(platform.fold(name), '[[:space:]‐‑–—''’ʼ`´.,;:/()"·・‧-]+', ' ', 'g'));

-- What names can be begun at: each of their words, with those after it and then those before it, so that one key holds them all. In scripts that
-- set no words apart (Han, kana, Hangul) each letter begins one.
create function name_keys(display_name text, known_as text, given_name text, family_name text) returns table (key text, source text)
language plpgsql immutable parallel safe set search_path from current as $$
declare
  names constant text[] := array[display_name, known_as, concat_ws(' ', given_name, family_name)];
  sources constant text[] := '{DISPLAY_NAME,KNOWN_AS,GIVEN_AND_FAMILY_NAME}';
  told text[] := '{}';
  words text[];
  word text;
begin
  for place in 1..3 loop
    words := string_to_array(folded_words(names[place]), ' ');
    source := sources[place];
    for at in 1..coalesce(cardinality(words), 0) loop
      word := words[at];
      while word <> '' loop
        key := left(array_to_string(word || words[at + 1:] || words[:at - 1], ' '), 128);
        if key <> all(told) then
          return next;
          told := told || key;
        end if;
        word := case when word ~ '^[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff]{2}' then substr(word, 2) else '' end;
      end loop;
    end loop;
  end loop;
end $$;

-- How many athletes everybody sees, by sport (* is any), facet and value. Writers append changes, so that none waits for another;
-- the relay adds them up (store/facets.ts), and a reader sees both.
create table athlete_facet (
  sport text not null,
  facet text not null,
  value text not null,
  count bigint not null,
  primary key (sport, facet, value)
);
create table athlete_facet_change (
  id bigint generated always as identity primary key,
  sport text not null,
  facet text not null,
  value text not null,
  change int not null
);

-- What an athlete counts in: a restricted profile by what it shows. Nothing here depends on the day: who is active as an adult stays one.
create function athlete_facets(status text, visibility text, adult_from date, activated_as_minor boolean, consent_scopes text[], sex text,
  country text, nationalities text[], sports jsonb, verified boolean, open_to_opportunities boolean)
returns table (sport text, facet text, value text)
language sql immutable parallel safe
begin atomic
  with seen as (
    select not activated_as_minor as whole where status = 'ACTIVE' and visibility = 'PUBLIC'
      and (case when activated_as_minor then consent_scopes @> '{PROFILE}' else adult_from is not null end)
  ), own as (
    select s.sport, s.level from jsonb_to_recordset(sports) as s(sport text, level text)
  ), place as (
    select whole, own.sport, array[own.level] as levels from seen, own
    union all select whole, '*', array(select distinct own.level from own) from seen
  )
  select p.sport, f.facet, f.value from place p, lateral (
    values ('ALL', ''), ('SEX', sex), ('COUNTRY', country), ('VERIFIED', verified::text),
      ('OPEN_TO_OPPORTUNITIES', case when p.whole then open_to_opportunities::text end)
    union all select 'LEVEL', level from unnest(p.levels) level where p.whole
    union all select 'NATIONALITY', nationality from (select distinct unnest(nationalities) as nationality) n where p.whole
    union all select 'SPORT', own.sport from own where p.sport = '*'
  ) f(facet, value) where f.value is not null;
end;

create function keep_discovery() returns trigger language plpgsql set search_path from current as $$
begin
  if tg_op = 'UPDATE' then
    delete from name_key where athlete_id in (
      select n.id from new_rows n join old_rows o using (id)
      where (o.status, o.visibility, o.adult_from, o.activated_as_minor, o.display_name, o.known_as, o.given_name, o.family_name, o.verified, o.sport_codes)
        is distinct from (n.status, n.visibility, n.adult_from, n.activated_as_minor, n.display_name, n.known_as, n.given_name, n.family_name, n.verified, n.sport_codes));
    insert into name_key (sport, visibility, unverified, key, athlete_id, source)
    select sport, n.visibility, not n.verified, k.key, n.id, k.source
    from new_rows n join old_rows o using (id), unnest(n.sport_codes) sport, name_keys(n.display_name, n.known_as, n.given_name, n.family_name) k
    where n.status = 'ACTIVE' and n.visibility <> 'PRIVATE' and not n.activated_as_minor and n.adult_from is not null
      and (o.status, o.visibility, o.adult_from, o.activated_as_minor, o.display_name, o.known_as, o.given_name, o.family_name, o.verified, o.sport_codes)
        is distinct from (n.status, n.visibility, n.adult_from, n.activated_as_minor, n.display_name, n.known_as, n.given_name, n.family_name, n.verified, n.sport_codes);
    insert into athlete_facet_change (sport, facet, value, change)
    select sport, facet, value, sum(change) from (
      select f.*, 1 as change from new_rows r, athlete_facets(r.status, r.visibility, r.adult_from, r.activated_as_minor, r.consent_scopes, r.sex,
        r.country, r.nationalities, r.sports, r.verified, r.open_to_opportunities) f
      union all
      select f.*, -1 from old_rows r, athlete_facets(r.status, r.visibility, r.adult_from, r.activated_as_minor, r.consent_scopes, r.sex,
        r.country, r.nationalities, r.sports, r.verified, r.open_to_opportunities) f
    ) c group by 1, 2, 3 having sum(change) <> 0;
  elsif tg_op = 'INSERT' then
    insert into name_key (sport, visibility, unverified, key, athlete_id, source)
    select sport, n.visibility, not n.verified, k.key, n.id, k.source
    from new_rows n, unnest(n.sport_codes) sport, name_keys(n.display_name, n.known_as, n.given_name, n.family_name) k
    where n.status = 'ACTIVE' and n.visibility <> 'PRIVATE' and not n.activated_as_minor and n.adult_from is not null;
    insert into athlete_facet_change (sport, facet, value, change)
    select f.sport, f.facet, f.value, count(*) from new_rows r, athlete_facets(r.status, r.visibility, r.adult_from, r.activated_as_minor, r.consent_scopes,
      r.sex, r.country, r.nationalities, r.sports, r.verified, r.open_to_opportunities) f group by 1, 2, 3;
  else
    delete from name_key where athlete_id in (select id from old_rows);
    insert into athlete_facet_change (sport, facet, value, change)
    select f.sport, f.facet, f.value, -count(*) from old_rows r, athlete_facets(r.status, r.visibility, r.adult_from, r.activated_as_minor, r.consent_scopes,
      r.sex, r.country, r.nationalities, r.sports, r.verified, r.open_to_opportunities) f group by 1, 2, 3;
  end if;
  return null;
end $$;
create trigger athlete_inserted after insert on athlete referencing new table as new_rows for each statement execute function keep_discovery();
create trigger athlete_updated after update on athlete referencing old table as old_rows new table as new_rows for each statement execute function keep_discovery();
create trigger athlete_deleted after delete on athlete referencing old table as old_rows for each statement execute function keep_discovery();

insert into name_key (sport, visibility, unverified, key, athlete_id, source)
select sport, n.visibility, not n.verified, k.key, n.id, k.source
from athlete n, unnest(n.sport_codes) sport, name_keys(n.display_name, n.known_as, n.given_name, n.family_name) k
where n.status = 'ACTIVE' and n.visibility <> 'PRIVATE' and not n.activated_as_minor and n.adult_from is not null;
insert into athlete_facet (sport, facet, value, count)
select f.sport, f.facet, f.value, count(*) from athlete r, athlete_facets(r.status, r.visibility, r.adult_from, r.activated_as_minor, r.consent_scopes,
  r.sex, r.country, r.nationalities, r.sports, r.verified, r.open_to_opportunities) f group by 1, 2, 3;

-- The last verified, which the curated lists begin with.
create index athlete_newly_verified on athlete ((verification ->> 'at'), id) where status = 'ACTIVE' and verified and not activated_as_minor;

-- Who did better in a season than in the one before it, by the metric that stands for the sport (rising.ts).
create table athlete_rise (
  athlete_id uuid not null references athlete on delete cascade,
  sport text not null,
  event_code text,
  metric text not null,
  season_id uuid not null,
  value_before double precision not null,
  value_after double precision not null,
  growth double precision not null,
  as_of date not null,
  primary key (athlete_id, sport)
);
create index athlete_rise_growth on athlete_rise (sport, growth desc, athlete_id);
create index athlete_rise_as_of on athlete_rise (as_of);
