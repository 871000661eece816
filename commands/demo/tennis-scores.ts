/** Tennis scores of the demo data: games by set, tie-breaks, and retirements. */
import type { Random } from '../../platform/random.ts';
import { writeTennisScore } from '../../subgraphs/competitions/rankings/tennis-score.ts';
import type { TennisSet } from '../../subgraphs/competitions/rankings/tennis-set.ts';

export interface TennisMatchScore {
  /** Score as text, from the view of the first side. */
  readonly text: string;
  readonly winner: 0 | 1;
}

/** From the view of the winner of the set. */
const wonSets = [
  [6, 0, 3],
  [6, 1, 9],
  [6, 2, 16],
  [6, 3, 22],
  [6, 4, 26],
  [7, 5, 10],
  [7, 6, 14],
] as const;

const turn = <Value>([one, other]: readonly [Value, Value], firstWins: boolean): readonly [Value, Value] =>
  firstWins ? [one, other] : [other, one];

function generateSet(random: Random, firstWins: boolean): TennisSet {
  const [won, lost] = random.weighted(wonSets.map((each) => [each, each[2]] as const));
  if (lost !== 6) return { games: turn([won, lost], firstWins), tieBreak: null, matchTieBreak: false };
  const points = random.weighted([
    [3, 2],
    [4, 3],
    [5, 4],
    [7, 2],
    [9, 1],
  ] as const);
  return {
    games: turn([won, lost], firstWins),
    tieBreak: turn([Math.max(7, points + 2), points], firstWins),
    matchTieBreak: false,
  };
}

/** Best of three. The side with the higher `edge` (-1 to 1) wins more sets. One match in thirty ends with a retirement. */
export function generateTennisScore(random: Random, edge: number): TennisMatchScore {
  const chance = 1 / (1 + Math.exp(-edge * 6));
  const retires = random.chance(1 / 30);
  const sets: TennisSet[] = [];
  const won: [number, number] = [0, 0];
  while (Math.max(...won) < 2 && !(retires && sets.length === 1)) {
    const firstWins = random.chance(chance);
    sets.push(generateSet(random, firstWins));
    won[firstWins ? 0 : 1] += 1;
  }
  if (retires) sets.push({ games: [random.integer(1, 3), random.integer(0, 3)], tieBreak: null, matchTieBreak: false });
  return { text: writeTennisScore({ sets, endedBy: retires ? 'RETIREMENT' : null }), winner: won[0] > won[1] ? 0 : 1 };
}
