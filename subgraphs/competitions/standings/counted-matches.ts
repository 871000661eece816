/** Selects the matches that a table counts, and the pairs that have not met yet. */
import type { TableInput, TableMatch, TableOptions } from './table-input.ts';

export interface CountedMatches {
  /** In chronological order. */
  readonly matches: readonly TableMatch[];
  /** Participant → opponents that it has not met yet. */
  readonly open: ReadonlyMap<string, ReadonlySet<string>>;
}

function counts(match: TableMatch, { asOfMs, matchday, live = false }: TableOptions): boolean {
  if (match.provisional && !live) return false;
  if (asOfMs !== undefined && match.playedAtMs > asOfMs) return false;
  return matchday === undefined || (match.matchday !== null && match.matchday <= matchday);
}

const byTime = (a: TableMatch, b: TableMatch): number => a.playedAtMs - b.playedAtMs || (a.id < b.id ? -1 : 1);

/** Splits the matches of a table by its options. A match that the options exclude is still open. */
export function countedMatches({ matches, openMatches = [], options = {} }: TableInput): CountedMatches {
  const open = new Map<string, Set<string>>();
  const meets = (one: string, other: string) => void (open.get(one)?.add(other) ?? open.set(one, new Set([other])));
  const pending = ([one, other]: readonly [string, string]) => {
    meets(one, other);
    meets(other, one);
  };
  openMatches.forEach(pending);
  const counted = matches.filter((match) => {
    const inTable = counts(match, options);
    if (!inTable) pending([match.sides[0].participantId, match.sides[1].participantId]);
    return inTable;
  });
  return { matches: counted.sort(byTime), open };
}
