/** Who goes on from a stage to the next: by place in each heat, by mark over all heats, and the ties that must be swum off first. */
import { rankByMark, type MarkEntry, type MarkOptions, type RankedMark } from './by-mark.ts';

export interface AdvancementRule {
  /** PLACE: the first `count` of each heat (Q). MARK: the best `count` of all others (q). */
  readonly by: 'PLACE' | 'MARK';
  readonly count: number;
}

export interface Advancing {
  readonly participantId: string;
  readonly by: AdvancementRule['by'];
}

/** More are level than there are places left: none of them goes on until a swim-off, run-off or lot decides. */
export interface UndecidedPlaces {
  readonly by: AdvancementRule['by'];
  /** The heat; null where all heats are compared. */
  readonly matchId: string | null;
  readonly participantIds: readonly string[];
  readonly openings: number;
}

export interface Advancement {
  readonly advancing: readonly Advancing[];
  /** Empty once it is final. A tie by PLACE makes the choice by MARK provisional: its losers join that choice. */
  readonly undecided: readonly UndecidedPlaces[];
}

/**
 * Who goes on (World Athletics C2.1 TR20, World Aquatics SW 3): first all rules by PLACE, then those by MARK among the others. Give swim-offs
 * as `decisions` and ask again. Invalid results never go on; fewer valid marks than places leave places open.
 */
export function advancement(
  entries: readonly MarkEntry[],
  { rules, ...options }: MarkOptions & { readonly rules: readonly AdvancementRule[] },
): Advancement {
  const advancing: Advancing[] = [];
  const undecided: UndecidedPlaces[] = [];
  const take = (by: AdvancementRule['by'], count: number, matchId: string | null, candidates: readonly MarkEntry[]): void => {
    const chosen = choose(rankByMark(candidates, options), count);
    advancing.push(...chosen.through.map((participantId) => ({ participantId, by })));
    if (chosen.level.length > 0) undecided.push({ by, matchId, participantIds: chosen.level, openings: chosen.openings });
  };
  const open = (): MarkEntry[] => {
    const settled = new Set([
      ...advancing.map(({ participantId }) => participantId),
      ...undecided.flatMap((tie) => tie.participantIds),
    ]);
    return entries.filter(({ participantId }) => !settled.has(participantId));
  };
  for (const { by, count } of rules) {
    if (by === 'MARK') continue;
    const heats = Map.groupBy(open(), ({ matchId }) => matchId);
    for (const matchId of [...heats.keys()].toSorted()) take(by, count, matchId, heats.get(matchId) ?? []);
  }
  for (const { by, count } of rules) if (by === 'MARK') take(by, count, null, open());
  return { advancing, undecided };
}

interface Choice {
  readonly through: readonly string[];
  readonly level: readonly string[];
  readonly openings: number;
}

function choose(ranking: readonly RankedMark[], count: number): Choice {
  const ranked = ranking.flatMap(({ rank, entry }) => (rank === null ? [] : [{ rank, id: entry.participantId }]));
  const within = ranked.filter(({ rank }) => rank <= count);
  if (within.length <= count) return { through: within.map(({ id }) => id), level: [], openings: 0 };
  const last = within.at(-1)?.rank;
  const through = within.filter(({ rank }) => rank !== last).map(({ id }) => id);
  const level = within.filter(({ rank }) => rank === last).map(({ id }) => id);
  return { through, level, openings: count - through.length };
}
