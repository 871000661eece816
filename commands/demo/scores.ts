/** Scores of two sides of a team sport by strength: goals and points by period, sets, tries. */
import type { Random } from '../../platform/random.ts';
import type { DemoPart, DemoResult } from '../../schema/demo-edition.ts';
import type { Sport } from '../../schema/sports.ts';

export type TeamSport = Extract<Sport, 'FOOTBALL' | 'BASKETBALL' | 'VOLLEYBALL' | 'RUGBY' | 'HANDBALL'>;

export interface Score {
  readonly parts: readonly [DemoPart, DemoPart];
  readonly duration: NonNullable<DemoResult['duration']>;
  /** By side and period. */
  readonly rugby?: readonly [readonly RugbyScoring[], readonly RugbyScoring[]];
}

type Pair = readonly [number, number];

/** The parts of a rugby score. */
export interface RugbyScoring {
  readonly tries: number;
  readonly conversions: number;
  readonly penalties: number;
}

/** A Poisson-distributed count (Knuth). */
export function generateCount(random: Random, expected: number): number {
  const limit = Math.exp(-expected);
  let count = 0;
  for (let product = random.fraction(); product > limit; product *= random.fraction()) count += 1;
  return count;
}

/** Splits a score over periods. */
const overPeriods = (random: Random, score: number, periods: number): number[] => {
  const split = Array.from({ length: periods }, () => 0);
  for (let one = 0; one < score; one += 1) {
    const period = random.integer(0, periods - 1);
    split[period] = (split[period] ?? 0) + 1;
  }
  return split;
};

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const outcomeOf = (own: number, other: number): NonNullable<DemoPart['outcome']> =>
  own > other ? 'WIN' : own < other ? 'LOSS' : 'DRAW';

/** The scores of both sides by period. */
function scored(home: readonly number[], away: readonly number[], duration: Score['duration'] = 'REGULAR'): Score {
  const [own, other] = [sum(home), sum(away)];
  const partOf = (periodScores: readonly number[], score: number, against: number): DemoPart => ({
    outcome: outcomeOf(score, against),
    score,
    periodScores,
  });
  return { parts: [partOf(home, own, other), partOf(away, other, own)], duration };
}

/** Level after extra time: penalty kicks decide the winner. */
function shootout(random: Random, home: readonly number[], away: readonly number[]): Score {
  const { parts } = scored(home, away);
  const lost = random.integer(2, 4);
  const homeWins = random.chance(0.5);
  return {
    duration: 'PENALTY_SHOOTOUT',
    parts: [
      { ...parts[0], outcome: homeWins ? 'WIN' : 'LOSS', shootoutScore: homeWins ? lost + 1 : lost },
      { ...parts[1], outcome: homeWins ? 'LOSS' : 'WIN', shootoutScore: homeWins ? lost : lost + 1 },
    ],
  };
}

/** Continues a match that needs a winner: extra time, then penalty kicks. */
function decided(random: Random, home: readonly number[], away: readonly number[], expected: number): Score {
  const [more, most] = [generateCount(random, expected), generateCount(random, expected)];
  const [longer, further] = [
    [...home, more],
    [...away, most],
  ];
  return more === most ? shootout(random, longer, further) : scored(longer, further, 'EXTRA_TIME');
}

type Draw = (random: Random, edge: number, knockout: boolean) => Score;

const football: Draw = (random, edge, knockout) => {
  const home = overPeriods(random, generateCount(random, 1.5 * Math.exp(1.5 * edge)), 2);
  const away = overPeriods(random, generateCount(random, 1.2 * Math.exp(-1.5 * edge)), 2);
  return knockout && sum(home) === sum(away) ? decided(random, home, away, 0.4) : scored(home, away);
};

const handball: Draw = (random, edge, knockout) => {
  const half = (lead: number) => Math.round(random.normal(14.3 + lead * 6, 2.2, 6, 26));
  const home = [half(edge + 0.08), half(edge + 0.08)];
  const away = [half(-edge), half(-edge)];
  return knockout && sum(home) === sum(away) ? decided(random, home, away, 4) : scored(home, away);
};

const basketball: Draw = (random, edge) => {
  const quarter = (lead: number) => Math.round(random.normal(19.6 + lead * 9, 3.6, 6, 38));
  const home = Array.from({ length: 4 }, () => quarter(edge + 0.06));
  const away = Array.from({ length: 4 }, () => quarter(-edge));
  const overtime = () => Math.round(random.normal(9, 2.5, 2, 18));
  while (sum(home) === sum(away)) {
    home.push(overtime());
    away.push(overtime());
  }
  return scored(home, away, home.length > 4 ? 'EXTRA_TIME' : 'REGULAR');
};

/** To 25, the fifth set to 15, two points ahead. */
function generateSet(random: Random, homeWins: boolean, to: number, closeness: number): Pair {
  const close = random.chance(closeness);
  const lost = close ? to - 2 + generateCount(random, 0.7) : Math.round(random.normal(to * 0.76, to * 0.1, to * 0.4, to - 3));
  const won = Math.max(to, lost + 2);
  return homeWins ? [won, lost] : [lost, won];
}

const volleyball: Draw = (random, edge) => {
  const sets: Pair[] = [];
  const won: [number, number] = [0, 0];
  const chance = 1 / (1 + Math.exp(-(edge * 4 + 0.15)));
  while (Math.max(...won) < 3) {
    const homeWins = random.chance(chance);
    sets.push(generateSet(random, homeWins, sets.length === 4 ? 15 : 25, 0.35));
    won[homeWins ? 0 : 1] += 1;
  }
  const partOf = (side: 0 | 1): DemoPart => ({
    outcome: won[side] === 3 ? 'WIN' : 'LOSS',
    score: won[side],
    periodScores: sets.map((set) => set[side]),
  });
  return { parts: [partOf(0), partOf(1)], duration: 'REGULAR' };
};

/** Tries, conversions and penalties by half. */
function rugbyHalf(random: Random, edge: number): RugbyScoring {
  const tries = generateCount(random, 1.5 * Math.exp(1.1 * edge));
  return {
    tries,
    conversions: Array.from({ length: tries }, () => random.chance(0.72)).filter(Boolean).length,
    penalties: generateCount(random, 0.9),
  };
}

const rugbyPoints = ({ tries, conversions, penalties }: RugbyScoring): number => 5 * tries + 2 * conversions + 3 * penalties;

const rugby: Draw = (random, edge, knockout) => {
  const home = [rugbyHalf(random, edge + 0.1), rugbyHalf(random, edge + 0.1)];
  const away = [rugbyHalf(random, -edge), rugbyHalf(random, -edge)];
  const level = knockout && sum(home.map(rugbyPoints)) === sum(away.map(rugbyPoints));
  if (level) {
    home.push({ tries: 0, conversions: 0, penalties: 1 });
    away.push({ tries: 0, conversions: 0, penalties: 0 });
  }
  const score = scored(home.map(rugbyPoints), away.map(rugbyPoints), level ? 'EXTRA_TIME' : 'REGULAR');
  const triesOf = (halves: readonly RugbyScoring[]) => sum(halves.map(({ tries }) => tries));
  return {
    ...score,
    rugby: [home, away],
    parts: [
      { ...score.parts[0], tries: triesOf(home) },
      { ...score.parts[1], tries: triesOf(away) },
    ],
  };
};

const draws: Readonly<Record<TeamSport, Draw>> = {
  FOOTBALL: football,
  BASKETBALL: basketball,
  VOLLEYBALL: volleyball,
  RUGBY: rugby,
  HANDBALL: handball,
};

/**
 * @param edge advantage of the first side, -1 to 1
 * @param knockout whether the match needs a winner
 */
export function generateScore(random: Random, sport: TeamSport, edge: number, knockout = false): Score {
  return draws[sport](random, edge, knockout);
}
