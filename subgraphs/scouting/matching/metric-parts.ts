/** Metric values in matches: their distance to required values, and their percentiles. */
import { metric } from '../../../schema/metrics.ts';
import { positionGroup } from '../../../schema/position-codes.ts';
import type { Sport } from '../../../schema/sports.ts';
import { skillsOf, valueWeights } from '../skills/skill-weights.ts';
import { shrunkPercentile } from '../talent/best-event.ts';
import { percentileText } from '../texts/cohort-text.ts';
import { rateText, seasonText } from '../texts/compared-number.ts';
import { metricTitle, metricValueText } from '../texts/metric-values.ts';
import {
  checkRequirement,
  datumOf,
  describeBound,
  latestValue,
  seasonsOf,
  shortfall,
  sportFactsOf,
  type MetricValue,
} from './comparisons.ts';
import type { AthleteFacts, OpportunityFacts, Requirement } from './facts.ts';
import { featurePart, nearness, unknownPart, type FeaturePart } from './feature-part.ts';

const bodyMetrics = ['heightCm', 'weightKg', 'wingspanCm'];
export const isBodyMetric = ({ metricKey }: Requirement): boolean => metricKey !== null && bodyMetrics.includes(metricKey);

/**
 * Such as `, 0.45 per 90 minutes, 91st percentile among 120 forwards, in 24.5 full matches until 2026-05-30`. Empty without a cohort.
 */
function standingText(sport: Sport, key: string, actual: MetricValue): string {
  const { percentile, cohort, matches, asOf } = actual;
  if (percentile === null || cohort === null) return '';
  const rate = rateText(sport, key, '', actual);
  const texts = [...(rate === null ? [] : [rate]), percentileText(sport, percentile, cohort)];
  return `, ${texts.join(', ')}, in ${seasonText(sport, '', matches, asOf)}`;
}

/**
 * Half of the fit is the distance to the required value, half the percentile in the cohort, shrunk toward the middle if it is based on few
 * matches. Without a cohort, only the distance counts.
 */
export function requirementPart(
  requirement: Requirement,
  athlete: AthleteFacts,
  { sport }: OpportunityFacts,
  span: number,
): FeaturePart {
  const { operator, value, weight, metricKey } = requirement;
  const { datum, name, actual, textOf } = checkRequirement(requirement, athlete, sport);
  if (actual === null) return unknownPart(datum, weight ?? 1);
  const near = nearness(shortfall(operator, value, actual.value), span);
  const { percentile, matches } = actual;
  const text = (): string =>
    `${name} ${textOf(actual.value)} (required: ${describeBound(operator, textOf(value))})${standingText(sport, metricKey ?? '', actual)}`;
  const fit = percentile === null ? near : (near + shrunkPercentile(percentile, matches)) / 2;
  return featurePart(datum, fit, text, weight ?? 1);
}

/** The fit is 0 at a difference of half the required value. */
export const halfOf = ({ value }: Requirement): number => Math.abs(value) / 2 || 1;
/** Body metrics vary less. */
export const tenthOf = ({ value }: Requirement): number => Math.abs(value) / 10 || 1;

/** The requirement of a profile metric: a minimum, or a maximum if lower is better. */
export const profileRequirement = ({ key, value }: { readonly key: string; readonly value: number }): Requirement => ({
  metricKey: key,
  attribute: null,
  operator: metric(key)?.direction === 'LOWER_IS_BETTER' ? 'LTE' : 'GTE',
  value,
  mandatory: false,
  weight: null,
});

/** Without required metrics, the percentiles of the newest values, weighted as in the talent score by the skills of the athlete's positions. */
function percentileParts(athlete: AthleteFacts, opportunity: OpportunityFacts): FeaturePart[] {
  const { sport } = opportunity;
  const groups = (sportFactsOf(athlete, opportunity)?.positions ?? []).flatMap((code) => positionGroup(sport, code) ?? []);
  const keys = new Set(seasonsOf(athlete, sport).flatMap(({ metrics }) => metrics.map(({ key }) => key)));
  const known = [...keys].sort().flatMap((key) => {
    const latest = latestValue(athlete, sport, key);
    const isRelevant = metric(key)?.positions?.some((each) => groups.includes(each)) ?? true;
    return latest === null || latest.percentile === null || !isRelevant ? [] : [{ key, latest, percentile: latest.percentile }];
  });
  const weights = valueWeights(
    skillsOf(sport, groups),
    known.map(({ key }) => key),
  );
  const parts = known.map(({ key, latest, percentile }, index) => {
    const text = (): string => `${metricTitle(key)} ${metricValueText(key, latest.value)}${standingText(sport, key, latest)}`;
    return featurePart(datumOf('METRIC', key), shrunkPercentile(percentile, latest.matches), text, weights[index]);
  });
  return parts.some(({ weight }) => weight > 0) ? parts : [unknownPart(datumOf('STATISTICS'))];
}

/** The parts of the feature METRICS. */
export function metricParts(athlete: AthleteFacts, opportunity: OpportunityFacts): FeaturePart[] {
  const required = [...opportunity.requirements, ...(opportunity.profile?.metrics ?? []).map(profileRequirement)].filter(
    (each) => each.metricKey !== null && !isBodyMetric(each),
  );
  if (required.length === 0) return percentileParts(athlete, opportunity);
  return required.map((each) => requirementPart(each, athlete, opportunity, halfOf(each)));
}
