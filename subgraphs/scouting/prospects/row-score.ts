/** The talent score of a prospect row, its cohort and its compared values. */
import { metric } from '../../../schema/metrics.ts';
import { skillPercentiles, type SkillPercentile } from '../skills/skill-percentiles.ts';
import { metricTitle } from '../texts/metric-values.ts';
import { isComparedStanding, type Standing } from '../talent/standings.ts';
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

const rounded = (value: number): number => Math.round(100 * value) / 100;

/** A value as the API returns it. Marks are whole numbers, so rounding affects shares only. */
const numberOf = ({ metric: key, eventCode, value, matches, asOf }: Standing) => ({
  metricKey: key,
  title: metricTitle(key),
  unit: metric(key)?.unit ?? 'count',
  eventCode: eventCode || null,
  value: rounded(value),
  matches: rounded(matches),
  asOf,
});

/** The compared values of a row, as the API returns them. */
export function comparedNumbersOf({ sport, sex, standings }: ProspectRow) {
  return standings.filter(isComparedStanding).map((each) => ({
    ...numberOf(each),
    percentile: each.percentile,
    overallPercentile: each.overall,
    growthPercentile: each.growth,
    cohort: { sport, sex, ...each.cohort },
  }));
}

/** The values of a row that fewer than 30 athletes have. */
export function uncomparedNumbersOf({ standings }: ProspectRow) {
  return standings.filter((each) => !isComparedStanding(each)).map(numberOf);
}
