/** Where planted seasons stand among those of the same sex, role and age: counts per match, from 0 to 100. */
import type { SyntheticAthlete } from './athlete.ts';

/** Matches at which a season is believed half. */
const half = 8;

/** Percentiles of numbers among themselves, in their order; equal numbers share the middle of their places. */
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
  readonly matches: number;
  readonly key: string;
  readonly perMatch: number;
}

function ratesOf({ index, visible }: SyntheticAthlete): Rate[] {
  const metrics = visible.statistics[0]?.metrics ?? [];
  const matches = metrics.find(({ key }) => key === 'matchesPlayed')?.value ?? 1;
  return metrics
    .filter(({ key }) => key !== 'matchesPlayed')
    .map(({ key, value }) => ({ athlete: index, matches, key, perMatch: value / matches }));
}

/** The athletes with percentiles in the season that is seen; those of few matches are drawn to the middle (docs/matching.md). */
export function withPercentiles(athletes: readonly SyntheticAthlete[]): SyntheticAthlete[] {
  const cohortOf = ({ sex, hidden }: SyntheticAthlete): string => `${sex} ${hidden.role} ${Math.floor(hidden.age / 4)}`;
  const rates = athletes.flatMap((athlete) => ratesOf(athlete).map((rate) => ({ ...rate, cohort: cohortOf(athlete) })));
  const percentiles = new Map<string, number>();
  for (const cohort of Map.groupBy(rates, (rate) => `${rate.cohort} ${rate.key}`).values()) {
    const exact = percentilesOf(cohort.map(({ perMatch }) => perMatch));
    cohort.forEach(({ athlete, key, matches }, place) => {
      const shrunk = (matches * (exact[place] ?? 50) + half * 50) / (matches + half);
      percentiles.set(`${athlete} ${key}`, Math.round(shrunk));
    });
  }
  return athletes.map((athlete) => {
    const numbers = athlete.visible.statistics.map((row) => ({
      ...row,
      metrics: row.metrics.map((each) => ({ ...each, percentile: percentiles.get(`${athlete.index} ${each.key}`) ?? null })),
    }));
    return { ...athlete, seen: { ...athlete.visible, numbers } };
  });
}
