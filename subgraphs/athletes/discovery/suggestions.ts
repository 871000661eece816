/** Name suggestions: every typed word must be a prefix of a word of the name. */
import { join, sql, type Sql } from '../../../platform/database/database.ts';
import type { Viewer } from '../../../schema/viewer.ts';
import { sportNames, type Sport } from '../../../schema/sports.ts';
import type { AreaServices, Context } from '../../runtime/subgraph.ts';
import { allowedByVisibility, listedAdults } from '../athletes/visible-rows.ts';

export interface SuggestionRow {
  readonly id: string;
  readonly displayName: string;
  readonly matchedName: string;
  readonly sports: Sport[];
  readonly country: string | null;
  readonly verified: boolean;
}

interface SuggestionArguments {
  readonly q: string;
  readonly first: number;
  readonly sport?: readonly Sport[] | null | undefined;
}

const wordsMax = 8;

/** Names read per requested athlete. An athlete can match by several names and sports, so the factor grows until enough athletes are found. */
const namesPerAthlete = 2;
const namesPerAthleteMax = 32;

/** The words of a text. The longest comes first, because it matches the fewest names. */
function wordsOf(text: string): string[] {
  const words = text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
  return words.slice(0, wordsMax).toSorted((a, b) => b.length - a.length);
}

/** The requested sports, limited to the sport of the host. */
function sportsOf(viewer: Viewer, requested: readonly Sport[] | null | undefined): Sport[] {
  return sportNames.filter((sport) => (requested?.includes(sport) ?? true) && (viewer.sport ?? sport) === sport);
}

/** The first matching names of a list (one sport, visibility and verification): keys that start with the first word and contain words that start with the others. */
function firstOf([word = '', ...others]: readonly string[], count: number): Sql {
  const each = others.map((other) => sql`and strpos(n.key, ' ' || folded_words(${other})) > 0`);
  return sql`select n.key, n.athlete_id, n.source from name_key n
    where n.sport = list.sport and n.visibility = list.visibility and n.unverified = list.unverified
      and n.key ^@ folded_words(${word}) ${each.length > 0 ? join(each, ' ') : sql``}
    order by n.key, n.athlete_id limit ${count}`;
}

/** The athletes of the first names, and the number of those names. */
function firstNames(viewer: Viewer, sports: readonly Sport[], words: readonly string[], count: number, first: number): Sql {
  return sql`/* athletes.suggestions */
    with list as (
      select sport, visibility, unverified
      from unnest(${[...sports]}::text[]) sport, unnest('{PUBLIC,ORGANIZATIONS}'::text[]) visibility, unnest('{false,true}'::boolean[]) unverified
      where ${allowedByVisibility(viewer, sql`visibility`)}
    ), matching as materialized (
      select list.unverified, n.* from list cross join lateral (${firstOf(words, count)}) n
      order by list.unverified, n.key, n.athlete_id limit ${count}
    ), found as (
      select distinct on (athlete_id) * from matching order by athlete_id, key
    )
    select id, display_name as "displayName", sport_codes as sports, country, verified,
      case source when 'DISPLAY_NAME' then display_name when 'KNOWN_AS' then known_as
        when 'GIVEN_AND_FAMILY_NAME' then concat_ws(' ', given_name, family_name)
        else (select each.value from jsonb_to_recordset(names) as each(value text)
          where exists (select from name_keys(each.value, null, null, null, '[]') k where k.key = found.key) limit 1) end as "matchedName",
      (select count(*) from matching)::int as names
    from found join athlete on athlete.id = found.athlete_id where ${listedAdults(viewer)}
    order by unverified, key, id limit ${first}`;
}

/** Creates the read of suggestions. */
export function createSuggestions({ database }: Pick<AreaServices, 'database'>) {
  /** Adults with a whole profile in lists of the viewer: verified ones first, then by the name from the typed word on, then by id. */
  return async ({ viewer, notes }: Context, { q, first, sport }: SuggestionArguments): Promise<SuggestionRow[]> => {
    const words = wordsOf(q);
    const sports = sportsOf(viewer, sport);
    if (words.length === 0 || sports.length === 0) return [];
    for (let factor = namesPerAthlete; ; factor *= 4) {
      const count = first * factor;
      const rows = await database.query<SuggestionRow & { names: number }>(firstNames(viewer, sports, words, count, first));
      const isComplete = rows.length === first || (rows[0]?.names ?? 0) < count;
      if (!isComplete && factor < namesPerAthleteMax) continue;
      if (rows.length > 0) notes.person = true;
      return rows;
    }
  };
}
