/** The skills that count for an athlete, and means of metric values weighted by them. */
import type { Sport } from '../../../schema/sports.ts';
import { skills, type Skill } from './skills.ts';

/** A skill with its weight for an athlete, above 0. */
export interface WeightedSkill {
  readonly code: string;
  readonly title: string;
  readonly metrics: readonly string[];
  readonly weight: number;
}

const sum = (values: readonly number[]): number => values.reduce((total, each) => total + each, 0);

/** The mean weight for some position groups. */
function weightOf({ weights }: Skill, groups: readonly string[]): number {
  if (typeof weights === 'number') return weights;
  const of = groups.length === 0 ? Object.values(weights) : groups.map((group) => weights[group] ?? 0);
  return sum(of) / of.length;
}

const known = new Map<string, readonly WeightedSkill[]>();

/** The skills that count in a sport for some position groups, or for all groups if none is known, in display order. */
export function skillsOf(sport: Sport, positionGroups: readonly string[]): readonly WeightedSkill[] {
  const groups = [...new Set(positionGroups)].sort();
  const key = [sport, ...groups].join(' ');
  const found = known.get(key);
  if (found !== undefined) return found;
  const rows: readonly (readonly [string, Skill])[] = Object.entries(skills[sport]);
  const made = rows
    .map(([code, each]) => ({ code, title: each.title, metrics: each.metrics, weight: weightOf(each, groups) }))
    .filter(({ weight }) => weight > 0);
  known.set(key, made);
  return made;
}

/**
 * The weight of each value, in its order: that of its skill, shared by the values of the same skill. 0 for a metric of no skill.
 */
export function valueWeights(weighted: readonly WeightedSkill[], metrics: readonly string[]): number[] {
  const counts = new Map(weighted.map((each) => [each, metrics.filter((key) => each.metrics.includes(key)).length]));
  return metrics.map((key) => {
    const of = weighted.find((each) => each.metrics.includes(key));
    return of === undefined ? 0 : of.weight / (counts.get(of) ?? 1);
  });
}

/** The share of the skills that some metrics measure, by weight, from 0 to 1. */
export function knownWeight(weighted: readonly WeightedSkill[], metrics: readonly string[]): number {
  const known = weighted.filter((each) => metrics.some((key) => each.metrics.includes(key)));
  return sum(known.map(({ weight }) => weight)) / sum(weighted.map(({ weight }) => weight));
}

/** The weighted mean. Null if no value has a weight. */
export function weightedMean(values: readonly number[], weights: readonly number[]): number | null {
  const total = sum(weights);
  return total === 0 ? null : sum(values.map((value, index) => value * (weights[index] ?? 0))) / total;
}
