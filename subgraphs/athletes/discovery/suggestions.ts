/** Suggestions while a name is typed: every word typed begins a word of a name. */
import { join, sql, type Sql } from '../../../platform/database/database.ts';
import type { Viewer } from '../../../schema/viewer.ts';
import { sportNames, type Sport } from '../../../schema/sports.ts';
import type { AreaServices, Context } from '../../runtime/subgraph.ts';
import { allowedByVisibility, visibleInLists } from '../athletes/visible-rows.ts';

export interface SuggestionRow {
  readonly id: string;
  readonly displayName: string;
  readonly matchedName: string;
  readonly sports: Sport[];
  readonly country: string | null;
  readonly verified: boolean;
}

interface Asked {
  readonly q: string;
  readonly first: number;
  readonly sport?: readonly Sport[] | null | undefined;
}

const wordsMax = 8;

/** Of an athlete with several sports, or several names that begin alike, more than one name is found: so many are read for each that is wanted, or more. */
const namesEach = 2;
const namesEachMax = 32;

/** The words of a text, the longest first: it leaves the fewest names. */
function wordsOf(text: string): string[] {
  const words = text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
  return words.slice(0, wordsMax).toSorted((a, b) => b.length - a.length);
}

/** Who names a sport is told of this one, and a host of one sport tells of no other. */
function sportsOf(viewer: Viewer, asked: readonly Sport[] | null | undefined): Sport[] {
  return sportNames.filter((sport) => (asked?.includes(sport) ?? true) && (viewer.sport ?? sport) === sport);
}

/** The first names of a list (of a sport and visibility, verified or not) that begin with the first word and go on with words that begin with the others. */
function firstOf([word = '', ...others]: readonly string[], count: number): Sql {
  const each = others.map((other) => sql`and strpos(n.key, ' ' || folded_words(${other})) > 0`);
  return sql`select n.key, n.athlete_id, n.source from name_key n
    where n.sport = list.sport and n.visibility = list.visibility and n.unverified = list.unverified
      and n.key ^@ folded_words(${word}) ${each.length > 0 ? join(each, ' ') : sql``}
    order by n.key, n.athlete_id limit ${count}`;
}

/** Athletes of the first names, and how many names that were. */
function firstNames(viewer: Viewer, sports: readonly Sport[], words: readonly string[], count: number, first: number): Sql {
  return sql`/* athletes.suggestions */
    with list as (
      select sport, visibility, unverified
      from unnest(${[...sports]}::text[]) sport, unnest('{PUBLIC,ORGANIZATIONS}'::text[]) visibility, unnest('{false,true}'::boolean[]) unverified
      where ${allowedByVisibility(viewer, sql`visibility`)}
    ), begun as materialized (
      select list.unverified, n.* from list cross join lateral (${firstOf(words, count)}) n
      order by list.unverified, n.key, n.athlete_id limit ${count}
    ), found as (
      select distinct on (athlete_id) * from begun order by athlete_id, key
    )
    select id, display_name as "displayName", sport_codes as sports, country, verified,
      case source when 'DISPLAY_NAME' then display_name when 'KNOWN_AS' then known_as else concat_ws(' ', given_name, family_name) end as "matchedName",
      (select count(*) from begun)::int as names
    from found join athlete on athlete.id = found.athlete_id where not activated_as_minor and ${visibleInLists(viewer, false, ['PROFILE'])}
    order by unverified, key, id limit ${first}`;
}

/** Reads of suggestions over the area's database. */
export function createSuggestions({ database }: Pick<AreaServices, 'database'>) {
  /**
   * Whole profiles that the viewer finds in lists, never those of minors: verified ones first, then by the name from the word on that
   * was typed, then by id.
   */
  return async ({ viewer, notes }: Context, { q, first, sport }: Asked): Promise<SuggestionRow[]> => {
    const words = wordsOf(q);
    const sports = sportsOf(viewer, sport);
    if (words.length === 0 || sports.length === 0) return [];
    for (let each = namesEach; ; each *= 4) {
      const count = first * each;
      const rows = await database.query<SuggestionRow & { names: number }>(firstNames(viewer, sports, words, count, first));
      const isAll = rows.length === first || (rows[0]?.names ?? 0) < count;
      if (!isAll && each < namesEachMax) continue;
      if (rows.length > 0) notes.person = true;
      return rows;
    }
  };
}
