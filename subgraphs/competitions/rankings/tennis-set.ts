/** When a set of tennis is over, and what it can look like before (ITF Rules of Tennis 5, 6 and appendix VI). */
export interface TennisSet {
  /** Games, first side first; in a match tie-break the points. */
  readonly games: readonly [number, number];
  /** Points of the tie-break; null where none was played or nobody wrote it down. */
  readonly tieBreak: readonly [number, number] | null;
  /** Played instead of the deciding set. */
  readonly matchTieBreak: boolean;
}

/** How a set is decided: the tie-break begins at `at` games all and goes to `to` points by two; without it the set goes on until two games ahead. */
export interface SetKind {
  readonly tieBreak: { readonly at: number; readonly to: number } | null;
  readonly match?: true;
}

export const setKinds = {
  TIE_BREAK: { tieBreak: { at: 6, to: 7 } },
  /** The deciding set of the four majors since 2022. */
  TIE_BREAK_10: { tieBreak: { at: 6, to: 10 } },
  /** Wimbledon 2019 to 2021. */
  TIE_BREAK_AT_12: { tieBreak: { at: 12, to: 7 } },
  ADVANTAGE: { tieBreak: null },
  /** Ten points instead of a set. */
  MATCH_TIE_BREAK: { tieBreak: { at: 0, to: 10 }, match: true },
} as const satisfies Record<string, SetKind>;

export type SetKindName = keyof typeof setKinds;

type Pair = readonly [number, number];

/** Who won the set: 0 or 1; null while it goes on; undefined for a score that no set can have. */
export function setWinner({ games, tieBreak }: TennisSet, kind: SetKind): 0 | 1 | null | undefined {
  if (kind.match) return raceWinner(games, kind.tieBreak?.to ?? 0);
  const [high, low] = [Math.max(...games), Math.min(...games)];
  const leader = games[0] > games[1] ? 0 : 1;
  const at = kind.tieBreak?.at ?? Number.POSITIVE_INFINITY;
  if (high === at + 1 && low === at) {
    if (!tieBreak) return leader;
    return raceWinner(tieBreak, kind.tieBreak?.to ?? 0) === leader ? leader : undefined;
  }
  if (high === at && low === at) {
    const open = !tieBreak || raceWinner(tieBreak, kind.tieBreak?.to ?? 0) === null;
    return open ? null : undefined;
  }
  if (tieBreak || high > at + 1 || low > at) return undefined;
  if (high < 6 || high - low < 2) return high <= Math.max(6, low + 1) ? null : undefined;
  return high === 6 || high - low === 2 ? leader : undefined;
}

/** First to `to` points with two ahead: a score beyond that cannot be reached. */
function raceWinner([first, second]: Pair, to: number): 0 | 1 | null | undefined {
  const [high, low] = [Math.max(first, second), Math.min(first, second)];
  if (high < to || high - low < 2) return high <= Math.max(to, low + 1) ? null : undefined;
  return high === to || high - low === 2 ? (first > second ? 0 : 1) : undefined;
}
