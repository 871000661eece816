/** Finds rising athletes: the growth of a sport's leading metric from one season of a competition to the next. It predicts nothing. */
import { bestMetrics, metric, type MetricKey } from '../../../schema/metrics.ts';
import type { Sport } from '../../../schema/sports.ts';

/** A season of an athlete, computed or reported by a provider. */
export interface SeasonMetrics {
  readonly sport: Sport;
  readonly seasonId: string | null;
  readonly competitionId: string | null;
  readonly eventCode: string | null;
  readonly matchesPlayed: number | null;
  readonly metrics: readonly { readonly key: string; readonly value: number }[];
  /** YYYY-MM-DD. */
  readonly asOf: string | null;
}

export interface Rise {
  readonly sport: Sport;
  readonly eventCode: string | null;
  readonly metric: MetricKey;
  readonly seasonId: string;
  /** Per match, or a mark. */
  readonly valueBefore: number;
  readonly valueAfter: number;
  /** The gain per match, or the relative improvement of a mark. Comparable within a sport. */
  readonly growth: number;
  readonly asOf: string;
}

const marks: readonly MetricKey[] = [bestMetrics.ms.season, bestMetrics.mm.season, bestMetrics.points.season];

/** The metrics of each sport, by preference. The first one that both seasons have is compared. */
const leadingMetrics: Readonly<Record<Sport, readonly MetricKey[]>> = {
  FOOTBALL: ['goals'],
  BASKETBALL: ['points'],
  VOLLEYBALL: ['kills', 'aces'],
  RUGBY: ['tries'],
  COMBAT: ['wins'],
  TENNIS: ['matchesWon'],
  ATHLETICS: marks,
  SWIMMING: marks,
  CYCLING: ['stageWins', 'uciPoints'],
  HANDBALL: ['goals'],
};

/** A season with fewer matches is not compared. */
const matchesMin = 5;

/** How long a season stays in discovery after its last match, in days. */
export const freshDays = 365;

/** The comparable value of a metric: the mark itself, or a count per match. Null when there is none. */
function valueOf({ metrics, matchesPlayed }: SeasonMetrics, key: MetricKey): number | null {
  const value = metrics.find((each) => each.key === key)?.value ?? null;
  if (value === null || marks.includes(key)) return value;
  return matchesPlayed !== null && matchesPlayed >= matchesMin ? value / matchesPlayed : null;
}

function riseBetween(before: SeasonMetrics, after: SeasonMetrics): Rise | null {
  const { sport, eventCode, seasonId, asOf } = after;
  if (seasonId === null || asOf === null) return null;
  for (const key of leadingMetrics[sport]) {
    const [valueBefore, valueAfter] = [valueOf(before, key), valueOf(after, key)];
    if (valueBefore === null || valueAfter === null) continue;
    const gained = metric(key)?.direction === 'LOWER_IS_BETTER' ? valueBefore - valueAfter : valueAfter - valueBefore;
    const growth = marks.includes(key) ? gained / valueBefore : gained;
    return growth > 0 ? { sport, eventCode, metric: key, seasonId, valueBefore, valueAfter, growth, asOf } : null;
  }
  return null;
}

/** The greatest rise of one athlete in each sport. Each competition and event compares its last two seasons. */
export function computeRises(rows: readonly SeasonMetrics[]): Rise[] {
  const known = rows.filter((row) => row.asOf !== null && row.seasonId !== null && row.competitionId !== null);
  const events = Map.groupBy(known, ({ sport, competitionId, eventCode }) => JSON.stringify([sport, competitionId, eventCode]));
  const rises = [...events.values()].flatMap((seasons) => {
    const [after, before] = seasons.toSorted((a, b) => ((a.asOf ?? '') < (b.asOf ?? '') ? 1 : -1));
    return before && after && before.seasonId !== after.seasonId ? (riseBetween(before, after) ?? []) : [];
  });
  return [...Map.groupBy(rises, ({ sport }) => sport).values()].flatMap((of) =>
    of.toSorted((a, b) => b.growth - a.growth).slice(0, 1),
  );
}
