/**
 * The true utility of a pair for both sides. Its form differs from the platform's score on purpose: products of logistic and bell curves
 * with interactions instead of a weighted mean. For example, the weakest skill limits the athlete, potential counts for young athletes and
 * patient organizations, and no athlete is content far below or above their own level. Rankings see some of the variables, with noise, or none.
 */
import type { SyntheticAthlete } from './athlete.ts';
import type { SyntheticOpportunity } from './opportunity.ts';
import { distanceBetween } from './places.ts';

const logistic = (value: number): number => 1 / (1 + Math.exp(-value));
const bell = (value: number, width: number): number => Math.exp(-((value / width) ** 2) / 2);

/** A soft minimum: a weighted mean of exponentials, which is also defined below zero. */
function softMinimum(skills: readonly (readonly [skill: number, weight: number])[]): number {
  const total = skills.reduce((sum, [, weight]) => sum + weight, 0);
  return -Math.log(skills.reduce((sum, [skill, weight]) => sum + (weight / total) * Math.exp(-skill), 0));
}

/** Utility of the athlete for the organization, from 0 to 1 before noise. The noise has a standard deviation of 1. */
export function organizationUtility(
  { hidden: there, facts }: SyntheticOpportunity,
  { hidden }: SyntheticAthlete,
  noise: number,
): number {
  const skills = [...hidden.skills].flatMap(([metric, skill]) => {
    const weight = there.counts.get(metric);
    return weight === undefined ? [] : [[skill, weight] as const];
  });
  const present = skills.length === 0 ? hidden.standard / 1.5 - 2 : softMinimum(skills);
  const promise = there.patience * Math.max(0, (25 - hidden.age) / 7) * hidden.potential;
  const able = logistic(2.2 * (present + 0.7 * promise + 0.35 * (hidden.standard - there.standard) - there.need * 0.6));
  const understood = hidden.speaks.includes(there.place.language) ? 1 : 1 - 0.6 * there.talk;
  const height = facts.profile?.heightMinCm ?? null;
  const tall = height === null ? 1 : logistic((hidden.heightCm - height + 4) / 2);
  return able * understood * tall * logistic(1.5 + hidden.character) * Math.exp(0.3 * noise);
}

/** Utility of the opportunity for the athlete, from 0 to 1 before noise. The noise has a standard deviation of 1. */
export function athleteUtility(
  { hidden }: SyntheticAthlete,
  { hidden: there, facts }: SyntheticOpportunity,
  noise: number,
): number {
  // Ambitious athletes prefer a higher level. No athlete prefers one that is far too high or too low.
  const step = bell(there.standard - hidden.standard - hidden.ambition, 1.6);
  const taste = 0.25 + 0.75 * (hidden.tastes.get(facts.type) ?? 0) ** 2;
  const near = Math.exp(-distanceBetween(hidden.home, there.place) * 2.5 * (1 - hidden.mobility) ** 2);
  const abroad = hidden.home.country === there.place.country ? 1 : 0.35 + 0.65 * hidden.mobility;
  return step * taste * near * abroad * logistic(1 + there.support) * Math.exp(0.3 * noise);
}
