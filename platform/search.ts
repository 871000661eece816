/** Search by words of a name, however they are spelled: accents, case and order do not matter. */
import { join, sql, type Sql } from './database.ts';

const wordsMax = 8;

/** The derived column that is searched: folded names (see platform.fold in migrate.ts). */
export function searchText(names: readonly (string | null | undefined)[]): Sql {
  return sql`platform.fold(${names.filter(Boolean).join(' ')})`;
}

/** A word as the search column holds it, for `like`: escaped when it is folded, for folding makes `%` of a full-width one. */
function pattern(word: string): Sql {
  return sql`'%' || regexp_replace(platform.fold(${word}), '[\\\\%_]', '\\\\\\&', 'g') || '%'`;
}

/** Every word of the text occurs in the search column; served by its trigram index. */
export function matchesWords(column: Sql, text: string): Sql {
  const words = text.split(/\s+/).filter(Boolean).slice(0, wordsMax);
  if (words.length === 0) return sql`true`;
  return join(
    words.map((word) => sql`${column} like ${pattern(word)}`),
    ' and ',
  );
}

/** Below three letters nearly every name matches, and ranking all of them helps nobody. */
export const isRankable = (text: string): boolean => text.trim().length >= 3;

/** How alike a folded name and the text are, from 0 to 1 (a `real`): what a person means comes first. */
export function likeness(foldedName: Sql, text: string): Sql {
  return sql`platform.similarity(${foldedName}, platform.fold(${text}))`;
}
