/**
 * The talent score, model 1: age, level and verification, as the description of `prospects` in schema.graphql tells.
 * It knows nothing of performance and is replaced by the model of domain.md section 3.
 */
import { ageOn, birthday } from '../age.ts';
import type { Level, ScoreCode } from './resolvers.generated.ts';

export const modelVersion = '1-age-level-verification';

export interface ScoredFacts {
  readonly dateOfBirth: string | null;
  readonly birthYear: number | null;
  readonly level: Level | null;
  readonly verified: boolean;
}

export interface Component {
  readonly code: ScoreCode;
  /** Share of the score, from 0 to 1. */
  readonly weight: number;
  /** From 0 to 1. */
  readonly value: number;
  /** Whole points. */
  readonly contribution: number;
  readonly text: string;
}

export interface Score {
  /** From 0 to 100; exactly the sum of the contributions. */
  readonly talentScore: number;
  readonly components: readonly Component[];
  /** Share of the weights whose facts are known, from 0 to 1. */
  readonly confidence: number;
}

/** Level → value; the steps are equal, rounded to what is shown. */
const levels: Readonly<Record<Level, number>> = {
  GRASSROOTS: 0,
  SCHOOL: 0.17,
  ACADEMY: 0.33,
  REGIONAL: 0.5,
  NATIONAL: 0.67,
  INTERNATIONAL: 0.83,
  PROFESSIONAL: 1,
};

const weights: Readonly<Record<ScoreCode, number>> = { AGE: 0.4, LEVEL: 0.4, VERIFICATION: 0.2 };

/** The last day somebody can be born on: with only a year known, nobody is taken for older than certain. */
export function bornBy({ dateOfBirth, birthYear }: Pick<ScoredFacts, 'dateOfBirth' | 'birthYear'>): string | null {
  return dateOfBirth ?? (birthYear === null ? null : `${birthYear}-12-31`);
}

/** The next birthday after a day: the score holds until then. */
export function refreshOn(born: string | null, today: string): string | null {
  return born === null ? null : birthday(born, ageOn(born, today) + 1);
}

function component(code: ScoreCode, value: number, text: string): Component {
  const weight = weights[code];
  // Whole points add up exactly, in every language that reads them.
  return { code, weight, value, contribution: Math.round(100 * weight * value), text };
}

function ageComponent({ dateOfBirth, birthYear }: ScoredFacts, today: string): Component {
  const born = bornBy({ dateOfBirth, birthYear });
  if (born === null) return component('AGE', 0, 'The age is not known.');
  const age = ageOn(born, today);
  const value = Math.min(10, Math.max(0, 28 - age)) / 10;
  return component('AGE', value, dateOfBirth === null ? `Born in ${born.slice(0, 4)}.` : `${age} years old.`);
}

/** The score of an adult on a day. The same facts on the same day always score the same. */
export function scoreOf(facts: ScoredFacts, today: string): Score {
  const { level, verified, dateOfBirth, birthYear } = facts;
  const components = [
    ageComponent(facts, today),
    component(
      'LEVEL',
      level === null ? 0 : levels[level],
      level === null ? 'The level is not known.' : `Competes at level ${level}.`,
    ),
    component('VERIFICATION', verified ? 1 : 0, verified ? 'Verified by a moderator.' : 'Not verified.'),
  ];
  // A year of birth is half of an age.
  const age = dateOfBirth !== null ? weights.AGE : birthYear !== null ? weights.AGE / 2 : 0;
  const confidence = weights.VERIFICATION + age + (level === null ? 0 : weights.LEVEL);
  return {
    talentScore: components.reduce((sum, { contribution }) => sum + contribution, 0),
    components,
    confidence: Math.round(confidence * 100) / 100,
  };
}
