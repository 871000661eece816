/** Scores by period: sets and games of tennis as they are written, and what periods say of the score. */
import { readTennisScore, type TennisScore } from '../rankings/tennis-score.ts';
import type { Reading } from '../rankings/reading.ts';
import { scoredInSets, type Violations, type MatchFacts, type Pair } from './facts.ts';

export interface PeriodScores {
  readonly score: number | null;
  readonly periodScores: readonly number[];
  readonly tieBreakScores: readonly (number | null)[];
}

/** Best of three unless the match says otherwise, or the text only makes sense as best of five. */
export function readScoreText(text: string, bestOf: number | null): Reading<TennisScore> {
  if (bestOf !== null) return readTennisScore(text, { bestOf: bestOf > 3 ? 5 : 3 });
  const short = readTennisScore(text, { bestOf: 3 });
  if (short.value !== null) return short;
  const long = readTennisScore(text, { bestOf: 5 });
  return long.value === null ? short : long;
}

/** What one side has of a tennis score: sets won, games by set, points by tie-break. A match tie-break counts as a set of one game. */
export function sideOfTennis({ sets, setsWon, endedBy }: TennisScore, side: 0 | 1): PeriodScores {
  const wonBy = ({ games }: TennisScore['sets'][number]): number => Number(games[side] > games[side === 0 ? 1 : 0]);
  return {
    score: endedBy === 'WALKOVER' ? null : setsWon[side],
    periodScores: sets.map((set) => (set.matchTieBreak ? wonBy(set) : set.games[side])),
    tieBreakScores: sets.map((set) => (set.matchTieBreak ? set.games[side] : (set.tieBreak?.[side] ?? null))),
  };
}

/** The scores of both sides that their periods add up to; null where the periods do not say. `ended`: the last set may be unfinished. */
export function scoresOfPeriods([one, other]: Pair<readonly number[]>, inSets: boolean, ended: boolean): Pair<number> | null {
  if (one.length === 0 || one.length !== other.length || (inSets && ended)) return null;
  if (!inSets) return [sumOf(one), sumOf(other)];
  const wonBy = (mine: readonly number[], theirs: readonly number[]) =>
    mine.filter((games, set) => games > (theirs[set] ?? 0)).length;
  return [wonBy(one, other), wonBy(other, one)];
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** What is wrong with the periods of two sides; faults point at them as participants 0 and 1. Judges' rounds say nothing of the score. */
export function periodViolations(
  { sport }: Pick<MatchFacts, 'sport'>,
  sides: Pair<Pick<PeriodScores, 'score' | 'periodScores'>>,
  ended: boolean,
): Violations {
  const [one, other] = sides;
  const pointer = '/participants/1/periodScores';
  if (one.periodScores.length !== other.periodScores.length)
    return [{ pointer, code: 'periods_differ', detail: 'Give the same number of periods for both sides.' }];
  if (ended || one.periodScores.length === 0 || sport === 'COMBAT') return [];
  if (!scoredInSets(sport)) {
    return sides.map(
      ({ score, periodScores }, index) =>
        score !== null &&
        sumOf(periodScores) > score && {
          pointer: `/participants/${index}/periodScores`,
          code: 'contradicts_score',
          detail: `The periods add up to ${sumOf(periodScores)}, more than the score ${score}.`,
        },
    );
  }
  const won = scoresOfPeriods([one.periodScores, other.periodScores], true, false);
  return [
    one.periodScores.some((games, set) => games === other.periodScores[set]) && {
      pointer,
      code: 'set_level',
      detail: 'A set that was played to its end has a winner.',
    },
    one.score !== null &&
      other.score !== null &&
      (won?.[0] !== one.score || won[1] !== other.score) && {
        pointer,
        code: 'contradicts_score',
        detail: `The score counts sets: these sets are ${won?.join('-') ?? 'unknown'}, not ${one.score}-${other.score}.`,
      },
  ];
}
