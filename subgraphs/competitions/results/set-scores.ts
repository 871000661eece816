/** Period scores: the sets and games of tennis, and their consistency with the score. */
import { periodTitle } from '../../../schema/periods.ts';
import { readTennisScore, type TennisScore } from '../rankings/tennis-score.ts';
import type { Reading } from '../rankings/reading.ts';
import type { ParticipantPart } from './rows.ts';
import { scoredInSets, type Violations, type MatchFacts, type Pair } from './facts.ts';

export interface PeriodScores {
  readonly score: number | null;
  readonly periodScores: readonly number[];
  readonly tieBreakScores: readonly (number | null)[];
}

const endings: readonly TennisScore['endedBy'][] = ['RETIREMENT', 'WALKOVER', 'DISQUALIFICATION'];

/**
 * Reads a tennis score as best of three, unless the match has `bestOf` or only best of five makes it valid. `method`: how the match ended, where
 * the text does not say it.
 */
export function readScoreText(text: string, bestOf: number | null, method?: string | null): Reading<TennisScore> {
  const endedBy = endings.find((ending) => ending === method) ?? null;
  if (bestOf !== null) return readTennisScore(text, { bestOf: bestOf > 3 ? 5 : 3, endedBy });
  const short = readTennisScore(text, { bestOf: 3, endedBy });
  if (short.value !== null) return short;
  const long = readTennisScore(text, { bestOf: 5, endedBy });
  return long.value === null ? short : long;
}

/** The scores of one side of a tennis match: sets won, games by set, points by tie-break. A match tie-break counts as a set with one game. */
export function sideOfTennis({ sets, setsWon, endedBy }: TennisScore, side: 0 | 1): PeriodScores {
  const wonBy = ({ games }: TennisScore['sets'][number]): number => Number(games[side] > games[side === 0 ? 1 : 0]);
  return {
    score: endedBy === 'WALKOVER' ? null : setsWon[side],
    periodScores: sets.map((set) => (set.matchTieBreak ? wonBy(set) : set.games[side])),
    tieBreakScores: sets.map((set) => (set.matchTieBreak ? set.games[side] : (set.tieBreak?.[side] ?? null))),
  };
}

/** The scores of both sides from their periods; null where they do not determine it. `ended`: the last set may be incomplete. */
export function scoresOfPeriods([one, other]: Pair<readonly number[]>, inSets: boolean, ended: boolean): Pair<number> | null {
  if (one.length === 0 || one.length !== other.length || (inSets && ended)) return null;
  if (!inSets) return [sumOf(one), sumOf(other)];
  const wonBy = (mine: readonly number[], theirs: readonly number[]) =>
    mine.filter((games, set) => games > (theirs[set] ?? 0)).length;
  return [wonBy(one, other), wonBy(other, one)];
}

/** The scores of both sides: given, from their sub-matches, or from their periods. In combat sports, rounds do not make a score. */
export function scoresOf([first, second]: Pair<ParticipantPart>, facts: MatchFacts, ended: boolean): Pair<number | null> {
  const decided = [first, second].some(({ score, outcome, forfeit }) => score !== null || outcome !== null || forfeit);
  const unscored = first.score === null && second.score === null;
  const periods = unscored ? scoresOfPeriods([first.periodScores, second.periodScores], scoredInSets(facts.sport), ended) : null;
  const counted = decided || ended || periods ? null : facts.subMatchScore;
  const derived = counted ?? (facts.sport === 'COMBAT' ? null : periods);
  return [first.score ?? derived?.[0] ?? null, second.score ?? derived?.[1] ?? null];
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** Validates the periods of two sides, with pointers to participants 0 and 1. In combat sports, rounds do not add up to the score. */
export function periodViolations(
  { sport }: Pick<MatchFacts, 'sport'>,
  sides: Pair<Pick<PeriodScores, 'score' | 'periodScores'>>,
  ended: boolean,
): Violations {
  const [one, other] = sides;
  const pointer = '/participants/1/periodScores';
  if (one.periodScores.length !== other.periodScores.length)
    return [{ pointer, code: 'periods_differ', detail: 'Both sides must have the same number of `periodScores`.' }];
  if (ended || one.periodScores.length === 0 || sport === 'COMBAT') return [];
  if (!scoredInSets(sport)) {
    return sides.map(({ score, periodScores }, index) => {
      const sums = periodScores.map((_, period) => sumOf(periodScores.slice(0, period + 1)));
      const above = sums.findIndex((sum) => score !== null && sum > score);
      const title = periodTitle(sport, above + 1) ?? `period ${above + 1}`;
      const detail = `After the ${title} the score is ${String(sums[above])}, which is more than the final score of ${String(score)}.`;
      return above >= 0 && { pointer: `/participants/${index}/periodScores`, code: 'contradicts_score', detail };
    });
  }
  const won = scoresOfPeriods([one.periodScores, other.periodScores], true, false);
  return [
    one.periodScores.some((games, set) => games === other.periodScores[set]) && {
      pointer,
      code: 'set_level',
      detail: 'A completed set must have a winner, so its scores must differ.',
    },
    one.score !== null &&
      other.score !== null &&
      (won?.[0] !== one.score || won[1] !== other.score) && {
        pointer,
        code: 'contradicts_score',
        detail: `The score counts sets. The period scores give ${won?.join('-') ?? 'no result'}, but the score is ${one.score}-${other.score}.`,
      },
  ];
}
