/** A comparison of prospects: their skills and metric values side by side. */
import { metric } from '../../../schema/metrics.ts';
import { metricsOf } from '../../../schema/sports.ts';
import { radarOf } from '../prospects/row-score.ts';
import type { ProspectRow } from '../prospects/rows.ts';
import { skills } from '../skills/skills.ts';
import { metricTitle } from '../texts/metric-values.ts';

/** The axes of all positions, in display order. Each list has one item for each row. */
function axesOf(rows: readonly ProspectRow[]) {
  const radars = rows.map((row) => new Map(radarOf(row).map((each) => [each.code, each])));
  const codes = rows.slice(0, 1).flatMap(({ sport }) => Object.keys(skills[sport]));
  return codes.flatMap((code) => {
    const axes = radars.map((radar) => radar.get(code));
    const title = axes.find((axis) => axis !== undefined)?.title;
    if (title === undefined) return [];
    const percentiles = axes.map((axis) => axis?.overallPercentile ?? null);
    const cohortPercentiles = axes.map((axis) => axis?.percentile ?? null);
    return [{ code, title, percentiles, cohortPercentiles }];
  });
}

/** The metrics that any of the rows has, in the order of the sport, for each event. */
function metricsOfRows(rows: readonly ProspectRow[]) {
  const order: readonly string[] = rows.slice(0, 1).flatMap(({ sport }) => metricsOf(sport).map(({ key }) => key));
  const found = new Map(rows.flatMap(({ standings }) => standings).map((each) => [`${each.eventCode} ${each.metric}`, each]));
  const sorted = [...found.values()].sort(
    (one, other) => one.eventCode.localeCompare(other.eventCode) || order.indexOf(one.metric) - order.indexOf(other.metric),
  );
  return sorted.map(({ metric: key, eventCode }) => {
    const standings = rows.map((row) => row.standings.find((each) => each.metric === key && each.eventCode === eventCode));
    return {
      metricKey: key,
      eventCode: eventCode || null,
      title: metricTitle(key),
      unit: metric(key)?.unit ?? 'count',
      lowerIsBetter: metric(key)?.direction === 'LOWER_IS_BETTER',
      values: standings.map((each) => (each === undefined ? null : Math.round(100 * each.value) / 100)),
      matches: standings.map((each) => (each === undefined ? null : Math.round(100 * each.matches) / 100)),
      percentiles: standings.map((each) => each?.overall ?? null),
    };
  });
}

/** The comparison of prospects of one sport. */
export function compareProspects(rows: readonly ProspectRow[]) {
  const sameCategory = new Set(rows.map(({ sex }) => sex)).size <= 1;
  return { nodes: [...rows], sameCategory, axes: axesOf(rows), metrics: metricsOfRows(rows) };
}

export type ProspectComparison = ReturnType<typeof compareProspects>;
