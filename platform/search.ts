/** Search by words of a name, however they are spelled: accents, case and order do not matter. */
import { join, sql, type Sql } from './database.ts';

const wordsMax = 8;

/** The derived column that is searched: folded names (see platform.fold in migrate.ts). */
export function searchText(names: readonly (string | null | undefined)[]): Sql {
  return sql`platform.fold(${names.filter(Boolean).join(' ')})`;
}

/** Every word of the text occurs in the search column; served by its trigram index. */
export function matchesWords(column: Sql, text: string): Sql {
  const words = text.split(/\s+/).filter(Boolean).slice(0, wordsMax);
  if (words.length === 0) return sql`true`;
  return join(
    words.map((word) => sql`${column} like '%' || platform.fold(${word.replace(/[\\%_]/g, '\\$&')}) || '%'`),
    ' and ',
  );
}
