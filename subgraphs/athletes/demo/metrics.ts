/** Generates the season metrics of demo athletes: consistent with each other and within the bounds of the registry. */
import type { Random } from '../../../platform/random.ts';
import type { DemoAthlete } from '../../../schema/demo.ts';
import type { DemoPlayedSeason } from '../../../schema/demo-edition.ts';
import { positionGroup } from '../../../schema/position-codes.ts';
import type { Sport } from '../../../schema/sports.ts';
import { combat, cycling, marks, tennis } from './individual-metrics.ts';
import { ratio, type SeasonContext } from './season-context.ts';

export interface GeneratedSeason {
  readonly matchesPlayed: number | null;
  readonly minutesPlayed: number | null;
  readonly metrics: Readonly<Record<string, number>>;
}

export interface SeasonFrame {
  /** Elapsed share of the season, from 0 to 1. */
  readonly share: number;
  readonly eventCode: string | null;
  /** What the matches of the season determine; null for a season without matches. */
  readonly played: DemoPlayedSeason | null;
}

function football({ group, matches, count, part, counted, random, athlete }: SeasonContext): Record<string, number> {
  const goalRates: Readonly<Record<string, number>> = { GK: 0.001, DF: 0.05, MF: 0.13, FW: 0.36 };
  const goals = counted('goals', () => count(goalRates[group] ?? 0.1));
  const shotsOnTarget = goals + count((goalRates[group] ?? 0.1) * 1.6);
  const shots = shotsOnTarget + count((goalRates[group] ?? 0.1) * 3);
  const passes = count(group === 'MF' ? 52 : group === 'GK' ? 26 : 38);
  const passesCompleted = part(passes, 0.68 + athlete.ability * 0.2);
  const yellowCards = counted('yellowCards', () => part(matches, 0.14));
  const field = {
    goals,
    assists: counted('assists', () => count(group === 'GK' ? 0.005 : group === 'DF' ? 0.07 : 0.16)),
    shots,
    shotsOnTarget,
    tacklesWon: count(group === 'GK' ? 0.05 : 1.5),
    interceptions: count(group === 'GK' ? 0.05 : 1.3),
  };
  const keeper =
    group === 'GK'
      ? {
          saves: count(3.1),
          goalsConceded: counted('goalsConceded', () => count(1.3)),
          cleanSheets: counted('cleanSheets', () => part(matches, 0.2 + athlete.ability * 0.2)),
        }
      : {};
  const sprint30mMs = Math.round(random.normal(athlete.sex === 'MALE' ? 4350 : 4800, 140, 3800, 6000) - athlete.ability * 180);
  return {
    ...field,
    ...keeper,
    passes,
    passesCompleted,
    ...ratio('passAccuracyPct', passesCompleted, passes),
    yellowCards,
    redCards: counted('redCards', () => part(yellowCards, 0.06)),
    sprint30mMs,
  };
}

function basketball({ group, count, counted, athlete }: SeasonContext): Record<string, number> {
  const threePointersMade = counted('threePointersMade', () => count(group === 'C' ? 0.4 : 1.1));
  const twoPointersMade = counted('fieldGoalsMade', () => threePointersMade + count(3.1)) - threePointersMade;
  const fieldGoalsMade = twoPointersMade + threePointersMade;
  const threePointersAttempted = Math.round(threePointersMade / (0.27 + athlete.ability * 0.12)) + count(0.2);
  const fieldGoalsAttempted = threePointersAttempted + Math.round(twoPointersMade / (0.4 + athlete.ability * 0.14)) + count(0.3);
  const points = counted('points', () => fieldGoalsMade * 2 + threePointersMade + count(2.2));
  const big = group === 'G' ? 0.6 : group === 'C' ? 1.6 : 1.1;
  return {
    points,
    rebounds: count(4.6 * big),
    assists: count(group === 'G' ? 4.2 : 1.7),
    steals: count(1.1),
    blocks: count(0.5 * big * big),
    turnovers: count(2),
    fieldGoalsMade,
    fieldGoalsAttempted,
    ...ratio('fieldGoalPct', fieldGoalsMade, fieldGoalsAttempted),
    threePointersMade,
    threePointersAttempted,
    ...ratio('threePointPct', threePointersMade, threePointersAttempted),
  };
}

function volleyball({ group, count, part, counted, athlete }: SeasonContext): Record<string, number> {
  const receptions = count(group === 'L' ? 16 : group === 'OH' || group === 'BV' ? 12 : 2);
  const receptionsPositive = part(receptions, 0.35 + athlete.ability * 0.3);
  const attack = group === 'L' ? 0.05 : group === 'S' ? 1 : 9;
  return {
    kills: count(attack),
    aces: counted('aces', () => count(0.8)),
    blocks: count(group === 'MB' ? 2.4 : group === 'L' ? 0 : 0.9),
    digs: count(group === 'L' ? 10 : 5),
    receptions,
    receptionsPositive,
    ...ratio('receptionPct', receptionsPositive, receptions),
  };
}

function rugby({ group, matches, count, part, counted, athlete }: SeasonContext): Record<string, number> {
  const tacklesAttempted = count(group === 'FW' ? 11 : 7);
  const tackles = part(tacklesAttempted, 0.72 + athlete.ability * 0.2);
  const yellowCards = counted('yellowCards', () => part(matches, 0.05));
  return {
    tries: counted('tries', () => count(group === 'FW' ? 0.1 : 0.28)),
    metresGained: count(group === 'FW' ? 22 : 48),
    tackles,
    tacklesAttempted,
    ...ratio('tackleSuccessPct', tackles, tacklesAttempted),
    turnoversWon: count(0.6),
    yellowCards,
    redCards: counted('redCards', () => part(yellowCards, 0.08)),
  };
}

function handball({ group, matches, count, part, counted, athlete }: SeasonContext): Record<string, number> {
  const goals = counted('goals', () => count(group === 'GK' ? 0.06 : 3.3));
  const shots = Math.round(goals / (0.48 + athlete.ability * 0.22)) + count(0.2);
  const keeper = group === 'GK' ? { saves: count(9.5) } : {};
  return {
    goals,
    assists: count(group === 'BC' ? 3 : 1.2),
    shots,
    ...ratio('shotEfficiencyPct', goals, shots),
    ...keeper,
    sevenMetreGoals: counted('sevenMetreGoals', () => part(goals, 0.12)),
    yellowCards: counted('yellowCards', () => part(matches, 0.2)),
    redCards: counted('redCards', () => part(matches, 0.02)),
  };
}

interface SportProfile {
  /** Matches of a whole season. */
  readonly matches: number;
  readonly minutesEach: number;
  readonly generate: (context: SeasonContext) => Record<string, number>;
}

const bySport: Readonly<Partial<Record<Sport, SportProfile>>> = {
  FOOTBALL: { matches: 30, minutesEach: 90, generate: football },
  BASKETBALL: { matches: 32, minutesEach: 40, generate: basketball },
  VOLLEYBALL: { matches: 24, minutesEach: 100, generate: volleyball },
  RUGBY: { matches: 20, minutesEach: 80, generate: rugby },
  HANDBALL: { matches: 26, minutesEach: 60, generate: handball },
  COMBAT: { matches: 9, minutesEach: 9, generate: combat },
  TENNIS: { matches: 45, minutesEach: 95, generate: tennis },
  ATHLETICS: { matches: 0, minutesEach: 0, generate: marks },
  SWIMMING: { matches: 0, minutesEach: 0, generate: marks },
  CYCLING: { matches: 28, minutesEach: 0, generate: cycling },
};

/** Matches and minutes of a season: those of its matches, or generated ones. */
function timesOf(
  random: Random,
  { ability }: DemoAthlete,
  { matches: most, minutesEach }: SportProfile,
  { share, played }: SeasonFrame,
) {
  const drawn = Math.round(most * share * random.normal(0.5 + ability * 0.35, 0.18, 0.05, 1));
  const matches = played?.matchesPlayed ?? drawn;
  const minutes = played?.minutesPlayed ?? Math.round(matches * minutesEach * random.normal(0.72, 0.14, 0.15, 1));
  return { matches, minutes };
}

export function generateSeason(random: Random, athlete: DemoAthlete, frame: SeasonFrame): GeneratedSeason {
  const { eventCode, played } = frame;
  const profile = bySport[athlete.sport];
  if (!profile) throw new Error(`${athlete.sport} has no demo data`);
  const { matches: most, minutesEach, generate } = profile;
  const { matches, minutes } = timesOf(random, athlete, profile, frame);
  const fullMatches = minutesEach > 0 ? minutes / minutesEach : matches;
  const part = (whole: number, mean: number) => Math.min(whole, Math.max(0, Math.round(whole * random.normal(mean, 0.07, 0, 1))));
  const count = (rate: number) => {
    const expected = rate * fullMatches * (0.55 + athlete.ability * 0.9);
    return Math.max(0, Math.round(random.normal(expected, Math.sqrt(expected) * 1.1)));
  };
  const group = positionGroup(athlete.sport, athlete.positions[0] ?? '') ?? '';
  const counted = (key: string, generated: () => number): number => (played ? (played.counted[key] ?? 0) : generated());
  // an athlete who did not play has no metrics
  const metrics =
    most > 0 && matches === 0
      ? {}
      : generate({ random, athlete, eventCode, group, matches, minutes, count, part, counted, best: played?.counted ?? null });
  return { matchesPlayed: played || most > 0 ? matches : null, minutesPlayed: minutes > 0 ? minutes : null, metrics };
}
