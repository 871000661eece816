/** Thresholds for metric values, such as `goals:gte:0.5:perMatch`, with their validation. */
import { Problem } from '../../../schema/errors.ts';
import { metric as metricOf } from '../../../schema/metrics.ts';
import { codesOf } from '../../../schema/sport-registry.ts';
import { eventOf, metricsOf, type Sport } from '../../../schema/sports.ts';
import type { Viewer } from '../../../schema/viewer.ts';
import { sql, type Queryable, type Sql } from '../../../platform/database/database.ts';
import { unknownCodes } from '../../runtime/filter-violations.ts';
import { matchMinutes } from '../../runtime/full-matches.ts';
import type { ProspectFilter } from '../generated/resolvers.ts';
import { comparedMetrics } from '../talent/compared-values.ts';

/** What a threshold is compared with. `per90` is the same as `perMatch`, for sports with matches of 90 minutes. */
const bases = ['total', 'perMatch', 'per90', 'percentile'] as const;

type Basis = (typeof bases)[number];

interface Threshold {
  readonly key: string;
  readonly operator: 'gte' | 'lte';
  readonly value: number;
  readonly basis: Basis;
}

function reject(parameter: string, code: string, detail: string): never {
  throw new Problem('parameter_invalid', detail, { errors: [{ parameter, code, detail }] });
}

/** The parts of a threshold, whose form the pattern of the schema ensures. */
function thresholdOf(text: string): Threshold {
  const [key = '', operator, value, basis] = text.split(':');
  return {
    key,
    operator: operator === 'gte' ? 'gte' : 'lte',
    value: Number(value),
    basis: bases.find((each) => each === basis) ?? 'total',
  };
}

/** What to use instead of a threshold for metrics that are not compared. */
const insteadOf: Readonly<Record<string, string>> = {
  heightCm: 'Use `heightCmMin` and `heightCmMax`.',
  matchesPlayed: 'Use `minConfidence`, which grows with the number of matches.',
  minutesPlayed: 'Use `minConfidence`, which grows with the playing time.',
};

/** Measurements of the body, which are not of an event. */
const bodyMetrics: ReadonlySet<string> = new Set(['vo2max', 'wattsPerKg']);

function requireKnownMetric(sport: Sport, { key }: Threshold): void {
  const compared = comparedMetrics(sport);
  if (compared.includes(key)) return;
  const hasMetric = metricsOf(sport).some((each) => each.key === key);
  if (!hasMetric)
    reject('metric', 'unknown_metric', `${sport} has no metric ${key}. Metrics with thresholds: ${compared.join(', ')}.`);
  const hint = insteadOf[key] ?? `Metrics with thresholds: ${compared.join(', ')}.`;
  reject('metric', 'not_compared', `${key} has no thresholds, because prospects are not compared by it. ${hint}`);
}

function requireValidBasis(sport: Sport, { key, basis, value }: Threshold): void {
  if (basis === 'percentile' && (value < 0 || value > 100))
    reject('metric', 'out_of_bounds', `A percentile is between 0 and 100, such as ${key}:gte:80:percentile.`);
  if (basis !== 'per90' && basis !== 'perMatch') return;
  if (metricOf(key)?.aggregation !== 'SUM')
    reject(
      'metric',
      'not_per_match',
      `${key} is not a sum, so it has no value per match. Use ${key}:gte:… without a fourth part.`,
    );
  if (basis === 'per90' && matchMinutes[sport] !== 90)
    reject('metric', 'not_per_match', `A match of ${sport} does not have 90 minutes. Use ${key}:gte:…:perMatch.`);
}

function requireValidEvent(sport: Sport, eventCode: string | null | undefined, { key }: Threshold): void {
  if (eventCode && !eventOf(sport, eventCode)) {
    const [violation] = unknownCodes('eventCode', 'event', [sport], [eventCode]);
    reject('eventCode', 'unknown_event', violation?.detail ?? 'This event is unknown.');
  }
  const events = codesOf(sport, 'event');
  if (eventCode || events.length === 0 || bodyMetrics.has(key)) return;
  const detail = `${key} of ${sport} belongs to an event. Add \`eventCode\`, such as eventCode=${events[0] ?? ''}.`;
  reject('metric', 'without_event', detail);
}

/** Rates of metrics of which less is better are stored negated, in the order of performance. */
function rateReached({ key, operator, value }: Threshold): Sql {
  const isNegated = metricOf(key)?.direction === 'LOWER_IS_BETTER';
  const isLeast = (operator === 'gte') !== isNegated;
  const bound = isNegated ? -value : value;
  return isLeast ? sql`m.rate >= ${bound}::float8` : sql`m.rate <= ${bound}::float8`;
}

function reached(threshold: Threshold): Sql {
  const { operator, value, basis } = threshold;
  if (basis === 'perMatch' || basis === 'per90') return rateReached(threshold);
  if (basis === 'percentile')
    return operator === 'gte' ? sql`m.percentile >= ${Math.ceil(value)}::int` : sql`m.percentile <= ${Math.floor(value)}::int`;
  return operator === 'gte' ? sql`m.value >= ${value}::float8` : sql`m.value <= ${value}::float8`;
}

/**
 * The thresholds of a filter as conditions on `m`, a row of `prospect_metric`.
 * Throws Problem parameter_invalid (400) for unknown metrics and events, and for thresholds that no value could reach.
 */
export function metricConditions(viewer: Viewer, { metric, eventCode, sport: requested }: ProspectFilter): Sql[] {
  if (!metric) return eventCode ? reject('eventCode', 'without_metric', '`eventCode` requires `metric`.') : [];
  const sport = requested?.length === 1 ? requested[0] : viewer.sport;
  if (!sport) return reject('metric', 'without_sport', '`metric` requires exactly one `sport`.');
  return metric.map((text) => {
    const threshold = thresholdOf(text);
    requireKnownMetric(sport, threshold);
    requireValidBasis(sport, threshold);
    requireValidEvent(sport, eventCode, threshold);
    const isOfAnyEvent = !eventCode && bodyMetrics.has(threshold.key);
    const ofEvent = isOfAnyEvent ? sql`true` : sql`m.event_code = ${eventCode ?? ''}`;
    return sql`m.sport = ${sport} and m.metric = ${threshold.key} and ${ofEvent} and ${reached(threshold)}`;
  });
}

/** A threshold that more athletes reach is not selective: a walk in list order finds some of them soon. */
const selectiveMax = 2000;

/**
 * The athletes who reach a threshold, as a condition, if they are few. The query planner cannot estimate that, because one column holds the
 * values of all metrics. Empty if every threshold has many matches.
 */
export async function selectiveThreshold(database: Queryable, viewer: Viewer, filter: ProspectFilter): Promise<Sql[]> {
  for (const threshold of metricConditions(viewer, filter)) {
    const rows = await database.query<{ id: string }>(
      sql`/* prospects.reaching */ select m.athlete_id as id from prospect_metric m where ${threshold} limit ${selectiveMax + 1}::int`,
    );
    if (rows.length <= selectiveMax) return [sql`prospect.athlete_id = any(${rows.map(({ id }) => id)}::uuid[])`];
  }
  return [];
}
