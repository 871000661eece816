/** Generates the season metrics of demo athletes: consistent with each other and within the bounds of the registry. */
import type { Random } from '../../../platform/random.ts';
import type { DemoAthlete } from '../../../schema/demo.ts';
import { positionGroup } from '../../../schema/position-codes.ts';
import type { Sport } from '../../../schema/sports.ts';
import { generateMarks } from './marks.ts';

export interface GeneratedSeason {
  readonly matchesPlayed: number | null;
  readonly minutesPlayed: number | null;
  readonly metrics: Readonly<Record<string, number>>;
}

export interface SeasonFrame {
  /** Elapsed share of the season, from 0 to 1. */
  readonly share: number;
  readonly eventCode: string | null;
}

interface SeasonContext {
  readonly random: Random;
  readonly athlete: DemoAthlete;
  readonly eventCode: string | null;
  readonly group: string;
  readonly matches: number;
  readonly minutes: number;
  /** A count proportional to playing time: `rate` per full match of an average athlete. */
  count(rate: number): number;
  /** A part of a total, which it never exceeds. */
  part(whole: number, mean: number): number;
}

/** With two decimals. */
const percent = (part: number, whole: number): Record<'value', number> | null =>
  whole > 0 ? { value: Math.round((part / whole) * 10_000) / 100 } : null;

function ratio(key: string, part: number, whole: number): Record<string, number> {
  const found = percent(part, whole);
  return found ? { [key]: found.value } : {};
}

function football({ group, matches, count, part, random, athlete }: SeasonContext): Record<string, number> {
  const goalRates: Readonly<Record<string, number>> = { GK: 0.001, DF: 0.05, MF: 0.13, FW: 0.36 };
  const goals = count(goalRates[group] ?? 0.1);
  const shotsOnTarget = goals + count((goalRates[group] ?? 0.1) * 1.6);
  const shots = shotsOnTarget + count((goalRates[group] ?? 0.1) * 3);
  const passes = count(group === 'MF' ? 52 : group === 'GK' ? 26 : 38);
  const passesCompleted = part(passes, 0.68 + athlete.ability * 0.2);
  const yellowCards = part(matches, 0.14);
  const field = {
    goals,
    assists: count(group === 'GK' ? 0.005 : group === 'DF' ? 0.07 : 0.16),
    shots,
    shotsOnTarget,
    tacklesWon: count(group === 'GK' ? 0.05 : 1.5),
    interceptions: count(group === 'GK' ? 0.05 : 1.3),
  };
  const keeper =
    group === 'GK'
      ? { saves: count(3.1), goalsConceded: count(1.3), cleanSheets: part(matches, 0.2 + athlete.ability * 0.2) }
      : {};
  const sprint30mMs = Math.round(random.normal(athlete.sex === 'MALE' ? 4350 : 4800, 140, 3800, 6000) - athlete.ability * 180);
  return {
    ...field,
    ...keeper,
    passes,
    passesCompleted,
    ...ratio('passAccuracyPct', passesCompleted, passes),
    yellowCards,
    redCards: part(yellowCards, 0.06),
    sprint30mMs,
  };
}

function basketball({ group, count, part, athlete }: SeasonContext): Record<string, number> {
  const fieldGoalsAttempted = count(9.5);
  const fieldGoalsMade = part(fieldGoalsAttempted, 0.38 + athlete.ability * 0.12);
  const threePointersAttempted = part(fieldGoalsAttempted, group === 'C' ? 0.1 : 0.36);
  const threePointersMade = Math.min(fieldGoalsMade, part(threePointersAttempted, 0.27 + athlete.ability * 0.12));
  const points = fieldGoalsMade * 2 + threePointersMade + count(2.2);
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

function volleyball({ group, count, part, athlete }: SeasonContext): Record<string, number> {
  const receptions = count(group === 'L' ? 16 : group === 'OH' || group === 'BV' ? 12 : 2);
  const receptionsPositive = part(receptions, 0.35 + athlete.ability * 0.3);
  const attack = group === 'L' ? 0.05 : group === 'S' ? 1 : 9;
  return {
    kills: count(attack),
    aces: count(0.8),
    blocks: count(group === 'MB' ? 2.4 : group === 'L' ? 0 : 0.9),
    digs: count(group === 'L' ? 10 : 5),
    receptions,
    receptionsPositive,
    ...ratio('receptionPct', receptionsPositive, receptions),
  };
}

function rugby({ group, matches, count, part, athlete }: SeasonContext): Record<string, number> {
  const tacklesAttempted = count(group === 'FW' ? 11 : 7);
  const tackles = part(tacklesAttempted, 0.72 + athlete.ability * 0.2);
  const yellowCards = part(matches, 0.05);
  return {
    tries: count(group === 'FW' ? 0.1 : 0.28),
    metresGained: count(group === 'FW' ? 22 : 48),
    tackles,
    tacklesAttempted,
    ...ratio('tackleSuccessPct', tackles, tacklesAttempted),
    turnoversWon: count(0.6),
    yellowCards,
    redCards: part(yellowCards, 0.08),
  };
}

function handball({ group, matches, count, part, athlete }: SeasonContext): Record<string, number> {
  const shots = count(group === 'GK' ? 0.1 : 6);
  const goals = part(shots, 0.42 + athlete.ability * 0.25);
  const keeper = group === 'GK' ? { saves: count(9.5) } : {};
  return {
    goals,
    assists: count(group === 'BC' ? 3 : 1.2),
    shots,
    ...ratio('shotEfficiencyPct', goals, shots),
    ...keeper,
    sevenMetreGoals: part(goals, 0.12),
    yellowCards: part(matches, 0.2),
    redCards: part(matches, 0.02),
  };
}

function combat({ random, athlete, matches, minutes, part, count }: SeasonContext): Record<string, number> {
  const wins = part(matches, 0.25 + athlete.ability * 0.5);
  const draws = part(matches - wins, 0.04);
  const knockouts = part(wins, 0.3);
  const strikes = athlete.discipline === 'JUDO' || athlete.discipline === 'WRESTLING' ? 0 : count(34);
  const takedownsFaced = ['MMA', 'JUDO', 'WRESTLING'].includes(athlete.discipline) ? count(4) : 0;
  const takedownsDefended = part(takedownsFaced, 0.4 + athlete.ability * 0.4);
  const grappling =
    takedownsFaced > 0
      ? { takedownsFaced, takedownsDefended, ...ratio('takedownDefencePct', takedownsDefended, takedownsFaced) }
      : {};
  const striking =
    strikes > 0 && minutes > 0
      ? { strikesLanded: strikes, strikesLandedPerMinute: Math.min(60, Math.round((strikes / minutes) * 100) / 100) }
      : {};
  return {
    wins,
    draws,
    losses: matches - wins - draws,
    noContests: random.chance(0.02) ? 1 : 0,
    knockouts,
    submissions: part(wins - knockouts, athlete.discipline === 'MMA' ? 0.3 : 0),
    ...striking,
    ...grappling,
  };
}

function tennis({ random, athlete, matches, count, part }: SeasonContext): Record<string, number> {
  const matchesWon = part(matches, 0.25 + athlete.ability * 0.5);
  const firstServes = count(62);
  const firstServesIn = part(firstServes, 0.55 + athlete.ability * 0.1);
  const breakPointsFaced = count(6);
  const breakPointsSaved = part(breakPointsFaced, 0.4 + athlete.ability * 0.25);
  return {
    matchesWon,
    ...ratio('winPct', matchesWon, matches),
    aces: count(3.4),
    doubleFaults: count(2.8),
    firstServes,
    firstServesIn,
    ...ratio('firstServePct', firstServesIn, firstServes),
    breakPointsFaced,
    breakPointsSaved,
    ...ratio('breakPointsSavedPct', breakPointsSaved, breakPointsFaced),
    rankingPoints: Math.round(athlete.ability ** 4 * random.normal(3000, 700, 200, 8000)),
  };
}

function cycling({ random, athlete, part, matches }: SeasonContext): Record<string, number> {
  const stageWins = part(matches, athlete.ability ** 6 * 0.3);
  const wattsPerKg =
    Math.round(((athlete.sex === 'MALE' ? 3.9 : 3.4) + athlete.ability * 2.4 + random.normal(0, 0.15)) * 100) / 100;
  const stages =
    athlete.positions[0] === 'GC'
      ? { gcTimeMs: Math.round((80 - athlete.ability * 4) * 3_600_000 + random.normal(0, 1_200_000)) }
      : {};
  return { stageWins, uciPoints: Math.round(athlete.ability ** 5 * random.normal(900, 250, 0, 3000)), wattsPerKg, ...stages };
}

const marks = ({ random, athlete, eventCode }: SeasonContext): Record<string, number> => ({
  ...(eventCode ? generateMarks(random, athlete, eventCode) : {}),
  ...(eventCode && /^(50|100|200)(M$|_)/.test(eventCode)
    ? { reactionTimeMs: Math.round(random.normal(athlete.sport === 'SWIMMING' ? 680 : 165, 25, 100, 900)) }
    : {}),
});

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

export function generateSeason(random: Random, athlete: DemoAthlete, { share, eventCode }: SeasonFrame): GeneratedSeason {
  const profile = bySport[athlete.sport];
  if (!profile) throw new Error(`${athlete.sport} has no demo data`);
  const { matches: most, minutesEach, generate } = profile;
  const matches = Math.round(most * share * random.normal(0.5 + athlete.ability * 0.35, 0.18, 0.05, 1));
  const minutes = Math.round(matches * minutesEach * random.normal(0.72, 0.14, 0.15, 1));
  const played = minutesEach > 0 ? minutes / minutesEach : matches;
  const part = (whole: number, mean: number) => Math.min(whole, Math.max(0, Math.round(whole * random.normal(mean, 0.07, 0, 1))));
  const count = (rate: number) => {
    const expected = rate * played * (0.55 + athlete.ability * 0.9);
    return Math.max(0, Math.round(random.normal(expected, Math.sqrt(expected) * 1.1)));
  };
  const group = positionGroup(athlete.sport, athlete.positions[0] ?? '') ?? '';
  // an athlete who did not play has no metrics
  const metrics = most > 0 && matches === 0 ? {} : generate({ random, athlete, eventCode, group, matches, minutes, count, part });
  return { matchesPlayed: most > 0 ? matches : null, minutesPlayed: minutes > 0 ? minutes : null, metrics };
}
