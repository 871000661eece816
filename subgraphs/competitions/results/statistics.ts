/** Statistics of a side in a match, and their sums over a season. */
import type { Sport } from '../../../schema/sports.ts';
import { dividedShares, teamMetricsOf, type TeamMetric } from '../../../schema/team-metrics.ts';
import { registryViolation } from '../../runtime/input-violations.ts';
import type { ParticipantResultInput } from '../generated/resolvers.ts';
import type { Pair, Violations } from './facts.ts';
import type { ParticipantPart } from './rows.ts';

/** A value of a metric. */
export interface StatisticValue {
  readonly metric: string;
  readonly value: number;
}

/** The sum of a metric over the matches of a season. */
export interface StatisticSum extends StatisticValue {
  /** Number of matches with a value. */
  readonly matches: number;
}

/** The stored statistics of a participant, by metric. */
export function statisticsOf({ statistics }: ParticipantResultInput): Pick<ParticipantPart, 'statistics'> {
  if (!statistics || statistics.length === 0) return {};
  return { statistics: Object.fromEntries(statistics.map(({ metric, value }) => [metric, value])) };
}

/** Statistics in the order of the registry. */
export const statisticValues = ({ statistics = {} }: Pick<ParticipantPart, 'statistics'>, sport: Sport): StatisticValue[] =>
  teamMetricsOf(sport).flatMap(({ key }) => {
    const value = statistics[key];
    return value === undefined ? [] : [{ metric: key, value }];
  });

function valueViolation({ min, max, valueType, title }: TeamMetric, value: number, pointer: string): Violations {
  return [
    (value < min || value > max) && {
      pointer,
      code: 'out_of_range',
      detail: `${title} must be between ${min} and ${max}.`,
    },
    valueType === 'INTEGER' &&
      !Number.isInteger(value) && { pointer, code: 'not_an_integer', detail: `${title} must be a whole number.` },
  ];
}

/** Violations of the statistics of one participant. */
export function statisticViolations({ statistics }: ParticipantResultInput, sport: Sport, pointer: string): Violations {
  const given = statistics ?? [];
  const known = new Map(teamMetricsOf(sport).map((metric) => [metric.key, metric]));
  return given.flatMap(({ metric, value }, index): Violations => {
    const row = known.get(metric);
    const at = `${pointer}/statistics/${index}`;
    if (!row) return [registryViolation(`${at}/metric`, sport, 'team metric', metric)];
    const isFirst = given.findIndex((each) => each.metric === metric) === index;
    const detail = 'The metric is already in the list.';
    return [...valueViolation(row, value, `${at}/value`), !isFirst && { pointer: `${at}/metric`, code: 'duplicate', detail }];
  });
}

/** How far the shares of both sides may be from 100 together: sources round each of them. */
const shareTolerance = 2;

/** Violations of shares of two sides that do not add up to 100. */
export function shareViolations(sides: Pair<Pick<ParticipantPart, 'statistics'>>): Violations {
  const [one, other] = sides.map(({ statistics }) => statistics ?? {});
  return dividedShares.map((metric) => {
    const [share, rest] = [one?.[metric], other?.[metric]];
    if (share === undefined || rest === undefined || Math.abs(share + rest - 100) <= shareTolerance) return null;
    const detail = `\`${metric}\` of both sides must add up to 100. ${share} and ${rest} add up to ${rounded(share + rest)}.`;
    return { pointer: '/participants/1/statistics', code: 'not_whole', detail };
  });
}

const rounded = (value: number): number => Math.round(value * 100) / 100;

type Sums = ReadonlyMap<string, { readonly sum: number; readonly matches: number }>;

/** The ratio of two sums; null where one of them is not known in all matches that have the ratio. */
function ratioOf([above, below]: readonly [string, string], sums: Sums, matches: number) {
  const [numerator, denominator] = [sums.get(above), sums.get(below)];
  if (!numerator || !denominator || denominator.sum === 0) return null;
  if (numerator.matches !== denominator.matches || matches > denominator.matches) return null;
  return { value: numerator.sum / denominator.sum, matches: denominator.matches };
}

/**
 * The values of a season from those of its matches: sums, means of shares such as possession, and ratios of the two sums they are made of. A
 * ratio whose parts are not known in each match is the mean of its values.
 */
export function seasonStatistics(sport: Sport, sums: Sums): StatisticSum[] {
  return teamMetricsOf(sport).flatMap(({ key, aggregation, unit }): StatisticSum[] => {
    const own = sums.get(key);
    const ratio = typeof aggregation === 'object' ? ratioOf(aggregation.ratio, sums, own?.matches ?? 0) : null;
    if (ratio) return [{ ...ratio, metric: key, value: rounded(ratio.value * (unit === 'pct' ? 100 : 1)) }];
    if (!own) return [];
    const value = aggregation === 'SUM' ? own.sum : own.sum / own.matches;
    return [{ metric: key, value: rounded(value), matches: own.matches }];
  });
}
