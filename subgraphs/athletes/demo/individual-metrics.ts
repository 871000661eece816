/** Season metrics of demo athletes in individual sports. */
import { generateMarks } from './marks.ts';
import { ratio, type SeasonContext } from './season-context.ts';

export function combat({ random, athlete, matches, minutes, part, count, counted }: SeasonContext): Record<string, number> {
  const wins = counted('wins', () => part(matches, 0.25 + athlete.ability * 0.5));
  const draws = counted('draws', () => part(matches - wins, 0.04));
  const knockouts = counted('knockouts', () => part(wins, 0.3));
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
    losses: counted('losses', () => matches - wins - draws),
    noContests: counted('noContests', () => (random.chance(0.02) ? 1 : 0)),
    knockouts,
    submissions: counted('submissions', () => part(wins - knockouts, athlete.discipline === 'MMA' ? 0.3 : 0)),
    ...striking,
    ...grappling,
  };
}

export function tennis({ random, athlete, matches, count, part, counted }: SeasonContext): Record<string, number> {
  const matchesWon = counted('matchesWon', () => part(matches, 0.25 + athlete.ability * 0.5));
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
    rankingPoints: counted('rankingPoints', () => Math.round(athlete.ability ** 4 * random.normal(3000, 700, 200, 8000))),
  };
}

export function cycling({ random, athlete, part, matches, eventCode, counted }: SeasonContext): Record<string, number> {
  const stageWins = counted('stageWins', () => part(matches, athlete.ability ** 6 * 0.3));
  const wattsPerKg =
    Math.round(((athlete.sex === 'MALE' ? 3.9 : 3.4) + athlete.ability * 2.4 + random.normal(0, 0.15)) * 100) / 100;
  const stages =
    athlete.positions[0] === 'GC' && eventCode === null
      ? { gcTimeMs: Math.round((80 - athlete.ability * 4) * 3_600_000 + random.normal(0, 1_200_000)) }
      : {};
  return { stageWins, uciPoints: Math.round(athlete.ability ** 5 * random.normal(900, 250, 0, 3000)), wattsPerKg, ...stages };
}

export function marks({ random, athlete, eventCode, best }: SeasonContext): Record<string, number> {
  if (!eventCode) return {};
  const reached = generateMarks(random, athlete, eventCode, best);
  if (Object.keys(reached).length === 0 || !/^(50|100|200)(M$|_)/.test(eventCode)) return reached;
  const generated = Math.round(random.normal(athlete.sport === 'SWIMMING' ? 680 : 165, 25, 100, 900));
  const reactionTimeMs = best ? best['reactionTimeMs'] : generated;
  return reactionTimeMs === undefined ? reached : { ...reached, reactionTimeMs };
}
