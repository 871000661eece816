/** The talent score of a prospect row, its cohort and its compared values. */
import { metric } from '../../../schema/metrics.ts';
import { skillPercentiles, type SkillPercentile } from '../skills/skill-percentiles.ts';
import { metricTitle } from '../texts/metric-values.ts';
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

/** The skills of a row, as the axes of a radar chart. */
export function radarOf(row: ProspectRow): SkillPercentile[] {
  return skillPercentiles(row.sport, row.positionGroup || null, scoreOfRow(row).compared);
}

export type CohortRow = Omit<ReturnType<typeof cohortOf>, 'n'> & { readonly n: number | null };

/** The compared values of a row, as the API returns them. */
export function comparedNumbersOf({ sport, sex, standings }: ProspectRow) {
  return standings.map(({ metric: key, eventCode, growth, overall, cohort, ...each }) => ({
    ...each,
    metricKey: key,
    title: metricTitle(key),
    unit: metric(key)?.unit ?? 'count',
    overallPercentile: overall,
    eventCode: eventCode || null,
    growthPercentile: growth,
    cohort: { sport, sex, ...cohort },
  }));
}
