/** The talent score of a prospect row, its cohort and its compared values. */
import { computeTalentScore, type TalentScore } from '../talent/talent-score.ts';
import type { ProspectRow } from './rows.ts';

const scores = new WeakMap<ProspectRow, TalentScore>();

/** The score that was computed when the row was written. It is computed again from the same facts, once for each row. */
export function scoreOfRow(row: ProspectRow): TalentScore {
  const score = scores.get(row) ?? computeTalentScore({ ...row, positionGroup: row.positionGroup || null });
  scores.set(row, score);
  return score;
}

/** The cohort of a row. If no value is compared, the cohort that its values would be compared with. */
export function cohortOf(row: ProspectRow) {
  const { sport, sex, ageBand, positionGroup, level } = row;
  const own = { ageBand, position: positionGroup || null, level, n: null };
  return { sport, sex, ...(scoreOfRow(row).cohort ?? own) };
}

export type CohortRow = Omit<ReturnType<typeof cohortOf>, 'n'> & { readonly n: number | null };

/** The compared values of a row, as the API returns them. */
export function comparedNumbersOf({ sport, sex, standings }: ProspectRow) {
  return standings.map(({ metric, eventCode, growth, cohort, ...each }) => ({
    ...each,
    metricKey: metric,
    eventCode: eventCode || null,
    growthPercentile: growth,
    cohort: { sport, sex, ...cohort },
  }));
}
