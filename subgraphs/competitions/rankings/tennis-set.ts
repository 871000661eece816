/** When a tennis set is complete, and which scores are possible before (ITF Rules of Tennis 5, 6 and appendix VI). */
export interface TennisSet {
  /** Games, first side first. In a match tie-break: points. */
  readonly games: readonly [number, number];
  /** Points of the tie-break. Null where none was played or its points are not known. */
  readonly tieBreak: readonly [number, number] | null;
  /** Played instead of the deciding set. */
  readonly matchTieBreak: boolean;
}

/** How a set is decided: the tie-break starts at `at` games all and goes to `to` points with a margin of two. Without a tie-break, the margin is two games. */
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

/** The winner of a set: 0 or 1; null while it is incomplete; undefined for an impossible score. */
export function setWinner({ games, tieBreak }: TennisSet, kind: SetKind): 0 | 1 | null | undefined {
  if (kind.match) return raceWinner(games, kind.tieBreak?.to ?? 0);
  const [high, low] = [Math.max(...games), Math.min(...games)];
  const at = kind.tieBreak?.at ?? Number.POSITIVE_INFINITY;
  if (low === at && high <= at + 1) return tieBreakSetWinner(games, tieBreak, kind.tieBreak?.to ?? 0);
  if (tieBreak || high > at + 1 || low > at) return undefined;
  return raceWinner(games, 6);
}

/** The winner of a set that reached its tie-break: the side that leads, which is also the winner of the tie-break. */
function tieBreakSetWinner([one, other]: Pair, tieBreak: Pair | null, to: number): 0 | 1 | null | undefined {
  const leader = one === other ? null : one > other ? 0 : 1;
  return !tieBreak || raceWinner(tieBreak, to) === leader ? leader : undefined;
}

/** First to `to` with a margin of two; undefined for a score beyond that. */
function raceWinner([first, second]: Pair, to: number): 0 | 1 | null | undefined {
  const [high, low] = [Math.max(first, second), Math.min(first, second)];
  if (high < to || high - low < 2) return high <= Math.max(to, low + 1) ? null : undefined;
  return high === to || high - low === 2 ? (first > second ? 0 : 1) : undefined;
}
