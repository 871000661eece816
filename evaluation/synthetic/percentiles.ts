/** Percentiles of the counts per match of synthetic seasons, among athletes of the same sex, role and age. */
import type { SyntheticAthlete } from './athlete.ts';

/** The percentile of each value among all values. Equal values share the middle of their places. */
export function percentilesOf(values: readonly number[]): number[] {
  const sorted = values.toSorted((one, other) => one - other);
  const places = new Map<number, readonly [first: number, last: number]>();
  sorted.forEach((value, index) => places.set(value, [places.get(value)?.[0] ?? index, index]));
  return values.map((value) => {
    const [first, last] = places.get(value) ?? [0, 0];
    return (100 * (first + last + 1)) / (2 * values.length);
  });
}

interface Rate {
  readonly athlete: number;
  readonly key: string;
  readonly perMatch: number;
}

function ratesOf({ index, visible }: SyntheticAthlete): Rate[] {
  const metrics = visible.statistics[0]?.metrics ?? [];
  const matches = metrics.find(({ key }) => key === 'matchesPlayed')?.value ?? 1;
  return metrics
    .filter(({ key }) => key !== 'matchesPlayed')
    .map(({ key, value }) => ({ athlete: index, key, perMatch: value / matches }));
}

/** Adds percentiles to the visible seasons. Matches shrink those of few matches (docs/matching.md). */
export function withPercentiles(athletes: readonly SyntheticAthlete[]): SyntheticAthlete[] {
  const cohortOf = ({ sex, hidden }: SyntheticAthlete): string => `${sex} ${hidden.role} ${Math.floor(hidden.age / 4)}`;
  const rates = athletes.flatMap((athlete) => ratesOf(athlete).map((rate) => ({ ...rate, cohort: cohortOf(athlete) })));
  const percentiles = new Map<string, number>();
  for (const cohort of Map.groupBy(rates, (rate) => `${rate.cohort} ${rate.key}`).values()) {
    const exact = percentilesOf(cohort.map(({ perMatch }) => perMatch));
    cohort.forEach(({ athlete, key }, place) => percentiles.set(`${athlete} ${key}`, Math.round(exact[place] ?? 50)));
  }
  return athletes.map((athlete) => {
    const statistics = athlete.visible.statistics.map((row) => ({
      ...row,
      metrics: row.metrics.map((each) => ({ ...each, percentile: percentiles.get(`${athlete.index} ${each.key}`) ?? null })),
    }));
    return { ...athlete, visible: { ...athlete.visible, statistics } };
  });
}
