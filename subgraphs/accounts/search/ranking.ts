/** The common order of names that several areas found. */
import type { FoundName } from '../../clients/names.ts';

/** Lower case without accents, with single spaces. */
const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** 0: equal; 1: starts with the text; 2: a word does; 3: each word starts a word; 4: found elsewhere, such as in an alias. */
function rankOf(name: string, text: string): number {
  if (name === text) return 0;
  if (name.startsWith(text)) return 1;
  if (name.includes(` ${text}`)) return 2;
  return text.split(' ').every((word) => ` ${name}`.includes(` ${word}`)) ? 3 : 4;
}

/** Best match first: by the rank of the matched name, then the shorter name, then in alphabetical order. */
export function rankNames(found: readonly FoundName[], q: string): FoundName[] {
  const text = folded(q);
  const keyed = found.map((each) => {
    const name = folded(each.matchedName);
    return { each, name, rank: rankOf(name, text) };
  });
  return keyed
    .toSorted(
      (one, other) =>
        one.rank - other.rank ||
        one.name.length - other.name.length ||
        one.name.localeCompare(other.name, 'en') ||
        (one.each.id < other.each.id ? -1 : 1),
    )
    .map(({ each }) => each);
}
