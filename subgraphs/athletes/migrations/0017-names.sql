-- Names by language and script: [{language, value}]. The column `search` contains them, and suggestions find them, too.
alter table athlete add column names jsonb not null default '[]';
alter table name_key drop constraint name_key_source_check;
alter table name_key add constraint name_key_source_check
  check (source in ('DISPLAY_NAME', 'KNOWN_AS', 'GIVEN_AND_FAMILY_NAME', 'LOCALIZED_NAME'));

drop function name_keys(text, text, text, text);
create function name_keys(display_name text, known_as text, given_name text, family_name text, localized jsonb) returns table (key text, source text)
language plpgsql immutable parallel safe set search_path from current as $$
declare
  names constant text[] := array[display_name, known_as, concat_ws(' ', given_name, family_name)]
    || array(select each ->> 'value' from jsonb_array_elements(localized) each);
  sources constant text[] := '{DISPLAY_NAME,KNOWN_AS,GIVEN_AND_FAMILY_NAME,LOCALIZED_NAME}';
  told text[] := '{}';
  words text[];
  word text;
begin
  for place in 1..cardinality(names) loop
    words := string_to_array(folded_words(names[place]), ' ');
    source := sources[least(place, 4)];
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

create or replace function keep_discovery() returns trigger language plpgsql set search_path from current as $$
begin
  if tg_op = 'UPDATE' then
    delete from name_key where athlete_id in (
      select n.id from new_rows n join old_rows o using (id)
      where (o.status, o.visibility, o.adult_from, o.activated_as_minor, o.display_name, o.known_as, o.given_name, o.family_name, o.names, o.verified, o.sport_codes)
        is distinct from (n.status, n.visibility, n.adult_from, n.activated_as_minor, n.display_name, n.known_as, n.given_name, n.family_name, n.names, n.verified, n.sport_codes));
    insert into name_key (sport, visibility, unverified, key, athlete_id, source)
    select sport, n.visibility, not n.verified, k.key, n.id, k.source
    from new_rows n join old_rows o using (id), unnest(n.sport_codes) sport, name_keys(n.display_name, n.known_as, n.given_name, n.family_name, n.names) k
    where n.status = 'ACTIVE' and n.visibility <> 'PRIVATE' and not n.activated_as_minor and n.adult_from is not null
      and (o.status, o.visibility, o.adult_from, o.activated_as_minor, o.display_name, o.known_as, o.given_name, o.family_name, o.names, o.verified, o.sport_codes)
        is distinct from (n.status, n.visibility, n.adult_from, n.activated_as_minor, n.display_name, n.known_as, n.given_name, n.family_name, n.names, n.verified, n.sport_codes);
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
    from new_rows n, unnest(n.sport_codes) sport, name_keys(n.display_name, n.known_as, n.given_name, n.family_name, n.names) k
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
