/** Search by words of a name, however they are spelled: accents, case and order do not matter. */
import { join, sql, type Sql } from '../database/database.ts';

const wordsMax = 8;

/** The derived column that is searched: folded names (see platform.fold in migrate.ts). */
export function searchText(names: readonly (string | null | undefined)[]): Sql {
  return sql`platform.fold(${names.filter(Boolean).join(' ')})`;
}

/** A word as the search column holds it, for `like`: escaped when it is folded, for folding makes `%` of a full-width one. */
function escaped(word: string): Sql {
  return sql`regexp_replace(platform.fold(${word}), '[\\\\%_]', '\\\\\\&', 'g')`;
}

/** A trigram index knows three letters anywhere, and fewer where a word begins. */
const anywhereMin = 3;

function matchesWord(column: Sql, word: string): Sql {
  if (Array.from(word).length >= anywhereMin) return sql`${column} like '%' || ${escaped(word)} || '%'`;
  return sql`(${column} like ${escaped(word)} || '%' or ${column} like '% ' || ${escaped(word)} || '%')`;
}

/** Every word of the text occurs in the search column, one of one or two letters at the begin of a word; served by its trigram index. */
export function matchesWords(column: Sql, text: string): Sql {
  const words = text.split(/\s+/).filter(Boolean).slice(0, wordsMax);
  if (words.length === 0) return sql`true`;
  return join(
    words.map((word) => matchesWord(column, word)),
    ' and ',
  );
}

/** Below three letters nearly every name matches, and ranking all of them helps nobody. */
export const isRankable = (text: string): boolean => text.trim().length >= 3;

/** How alike a folded name and the text are, from 0 to 1 (a `real`): what a person means comes first. */
export function likeness(foldedName: Sql, text: string): Sql {
  return sql`platform.similarity(${foldedName}, platform.fold(${text}))`;
}
