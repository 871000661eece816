/** Name search by words, independent of accents, case and word order. */
import { join, sql, type Sql } from '../database/database.ts';

const wordsMax = 8;

/** The names of a row in all languages. A row that is being created has none yet. */
export const namesOf = (names: readonly { readonly value?: string | null | undefined }[] | null | undefined): string[] =>
  (names ?? []).flatMap(({ value }) => value ?? []);

/** The value of the search column: folded names (platform.fold in migrate.ts). */
export function searchText(names: readonly (string | null | undefined)[]): Sql {
  return sql`platform.fold(${names.filter(Boolean).join(' ')})`;
}

/** A folded word for `like`. It is escaped after folding, because folding turns a full-width percent sign into `%`. */
function escaped(word: string): Sql {
  return sql`regexp_replace(platform.fold(${word}), '[\\\\%_]', '\\\\\\&', 'g')`;
}

/** The trigram index finds three letters anywhere, and fewer at the start of a word. */
const anywhereMin = 3;

function matchesWord(column: Sql, word: string): Sql {
  if (Array.from(word).length >= anywhereMin) return sql`${column} like '%' || ${escaped(word)} || '%'`;
  return sql`(${column} like ${escaped(word)} || '%' or ${column} like '% ' || ${escaped(word)} || '%')`;
}

/** Every word of the text occurs in the search column; words of one or two letters match at the start of a word. Uses the trigram index. */
export function matchesWords(column: Sql, text: string): Sql {
  const words = text.split(/\s+/).filter(Boolean).slice(0, wordsMax);
  if (words.length === 0) return sql`true`;
  return join(
    words.map((word) => matchesWord(column, word)),
    ' and ',
  );
}

/** The start of the search column, as it is indexed in the order of the collation "C". */
export const startOf = (column: Sql): Sql => sql`left(${column}, 100) collate "C"`;

/** The search column starts with the text. */
export const startsWith = (column: Sql, text: string): Sql => sql`${startOf(column)} like ${escaped(text.trim())} || '%'`;

/**
 * The order of matches of a search column: those that start with the text, then those with a word that starts with it, then others; in each
 * group the shorter ones first. The column is folded, so ordering thousands of matches folds none of them.
 */
export function bestFirst(column: Sql, text: string): Sql {
  const start = escaped(text.trim());
  return sql`case when ${column} like ${start} || '%' then 0 when ${column} like '% ' || ${start} || '%' then 1 else 2 end, length(${column})`;
}

/** Texts below three letters match nearly every name, so ranking them is useless. */
export const isRankable = (text: string): boolean => text.trim().length >= 3;

/** Similarity of a folded name and the text, from 0 to 1 (`real`), to rank results. */
export function likeness(foldedName: Sql, text: string): Sql {
  return sql`platform.similarity(${foldedName}, platform.fold(${text}))`;
}
