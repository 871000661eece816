/** Combat records W-L-D: no contests stand apart and count for nothing. */
import { place } from './placing.ts';

export interface Bout {
  readonly matchId: string;
  readonly participants: readonly { readonly competitorId: string; readonly outcome: BoutOutcome }[];
  /** How it ended: KO_TKO, SUBMISSION, DECISION_SPLIT …; null where nobody said. */
  readonly method: string | null;
}

export type BoutOutcome = 'WIN' | 'LOSS' | 'DRAW' | 'NO_CONTEST';

export interface CombatRecord {
  readonly rank: number;
  readonly shared: boolean;
  readonly competitorId: string;
  readonly wins: number;
  readonly losses: number;
  readonly draws: number;
  readonly noContests: number;
  /** Method → how many wins (losses) by it; a bout without a method is in no tally. */
  readonly winsBy: Readonly<Record<string, number>>;
  readonly lossesBy: Readonly<Record<string, number>>;
  /** `27-1-0`, with no contests `27-1-0 (1 NC)`. */
  readonly text: string;
}

interface Fighter {
  readonly competitorId: string;
  readonly bouts: readonly { readonly outcome: BoutOutcome; readonly method: string | null }[];
}

const count = ({ bouts }: Fighter, outcome: BoutOutcome): number => bouts.filter((bout) => bout.outcome === outcome).length;

/** One record per competitor: most wins, then fewest losses; equal records share a rank. */
export function combatRecords(bouts: readonly Bout[]): CombatRecord[] {
  const entries = bouts.flatMap(({ participants, method }) => participants.map((participant) => ({ ...participant, method })));
  const fighters = [...Map.groupBy(entries, ({ competitorId }) => competitorId)].map(([competitorId, own]) => ({
    competitorId,
    bouts: own,
  }));
  const placed = place<Fighter>(fighters, {
    by: (one, other) => count(other, 'WIN') - count(one, 'WIN') || count(one, 'LOSS') - count(other, 'LOSS'),
    idOf: ({ competitorId }) => competitorId,
  });
  return placed.map(({ item, rank, shared }) => {
    const [wins, losses, draws] = [count(item, 'WIN'), count(item, 'LOSS'), count(item, 'DRAW')];
    const noContests = count(item, 'NO_CONTEST');
    return {
      rank,
      shared,
      competitorId: item.competitorId,
      wins,
      losses,
      draws,
      noContests,
      winsBy: tally(item, 'WIN'),
      lossesBy: tally(item, 'LOSS'),
      text: `${wins}-${losses}-${draws}${noContests > 0 ? ` (${noContests} NC)` : ''}`,
    };
  });
}

/** By method, in the order of the alphabet. */
function tally({ bouts }: Fighter, outcome: BoutOutcome): Record<string, number> {
  const methods = bouts.flatMap((bout) => (bout.outcome === outcome && bout.method !== null ? [bout.method] : []));
  return Object.fromEntries(
    [...new Set(methods)].toSorted().map((method) => [method, methods.filter((each) => each === method).length]),
  );
}
