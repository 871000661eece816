/** Which participants advance to the next stage: by place in each heat, by mark over all heats; and undecided ties. */
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

/** More participants are tied than there are places. None of them advances until a swim-off, run-off or drawing of lots. */
export interface UndecidedPlaces {
  readonly by: AdvancementRule['by'];
  /** The heat; null where all heats are compared. */
  readonly matchId: string | null;
  readonly participantIds: readonly string[];
  readonly openings: number;
}

export interface Advancement {
  readonly advancing: readonly Advancing[];
  /** Empty when the advancement is final. While a tie by PLACE is undecided, the selection by MARK is provisional: the losers of the tie join it. */
  readonly undecided: readonly UndecidedPlaces[];
}

/**
 * Selects the advancing participants (World Athletics C2.1 TR20, World Aquatics SW 3): first by all PLACE rules, then by MARK among the others. Pass
 * swim-offs as `decisions` and select again. Invalid results never advance. With fewer valid marks than places, places stay open.
 */
export function advancement(
  entries: readonly MarkEntry[],
  { rules, ...options }: MarkOptions & { readonly rules: readonly AdvancementRule[] },
): Advancement {
  const advancing: Advancing[] = [];
  const undecided: UndecidedPlaces[] = [];
  const take = (by: AdvancementRule['by'], count: number, matchId: string | null, candidates: readonly MarkEntry[]): void => {
    const chosen = choose(rankByMark(candidates, options), count);
    advancing.push(...chosen.advancing.map((participantId) => ({ participantId, by })));
    if (chosen.tied.length > 0) undecided.push({ by, matchId, participantIds: chosen.tied, openings: chosen.openings });
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
  readonly advancing: readonly string[];
  readonly tied: readonly string[];
  readonly openings: number;
}

function choose(ranking: readonly RankedMark[], count: number): Choice {
  const ranked = ranking.flatMap(({ rank, entry }) => (rank === null ? [] : [{ rank, id: entry.participantId }]));
  const within = ranked.filter(({ rank }) => rank <= count);
  if (within.length <= count) return { advancing: within.map(({ id }) => id), tied: [], openings: 0 };
  const last = within.at(-1)?.rank;
  const advancing = within.filter(({ rank }) => rank !== last).map(({ id }) => id);
  const tied = within.filter(({ rank }) => rank === last).map(({ id }) => id);
  return { advancing, tied, openings: count - advancing.length };
}
