/** Milestones of an athlete: the first counted matches of each sport, and the age on these days. */
import { keysOf } from '../../../schema/records.ts';
import { ageOn } from '../../runtime/age.ts';
import type { AgeGroup, AthleteMilestone, Level, MilestoneCode, Sport } from '../generated/resolvers.ts';

/** The first days of an athlete in a sport and competition. */
export interface FirstDays {
  readonly athleteId: string;
  readonly sport: Sport;
  readonly competitionId: string | null;
  readonly firstMatch: string;
  readonly firstGoal: string | null;
}

/** Level and age group of a competition. */
export interface CompetitionKind {
  readonly level: Level | null;
  readonly ageGroup: AgeGroup | null;
}

/** The titles, in the order of milestones of one day. */
const titles: Readonly<Record<MilestoneCode, string>> = {
  FIRST_MATCH: 'First match',
  FIRST_SENIOR_MATCH: 'First senior match',
  FIRST_GOAL: 'First goal',
  FIRST_LEVEL_GRASSROOTS: 'First match at grassroots level',
  FIRST_LEVEL_SCHOOL: 'First match at school level',
  FIRST_LEVEL_ACADEMY: 'First match at academy level',
  FIRST_LEVEL_REGIONAL: 'First match at regional level',
  FIRST_LEVEL_NATIONAL: 'First match at national level',
  FIRST_LEVEL_INTERNATIONAL: 'First match at international level',
  FIRST_LEVEL_PROFESSIONAL: 'First match at professional level',
};

/** A milestone without the age of the athlete. */
export type Milestone = Omit<AthleteMilestone, 'ageYears'>;

/** The milestones that matches of a competition can be. */
function codesOf(kind: CompetitionKind | undefined): MilestoneCode[] {
  return [
    'FIRST_MATCH',
    ...(kind?.ageGroup === 'SENIOR' ? (['FIRST_SENIOR_MATCH'] as const) : []),
    ...(kind?.level ? [`FIRST_LEVEL_${kind.level}` as const] : []),
  ];
}

/** The milestones of an athlete, earliest first. Competitions without a known kind count as matches only. */
export function milestonesOf(days: readonly FirstDays[], kinds: ReadonlyMap<string, CompetitionKind>): Milestone[] {
  const candidates = days.flatMap(({ sport, competitionId, firstMatch, firstGoal }): Milestone[] => {
    const codes = codesOf(competitionId === null ? undefined : kinds.get(competitionId));
    const matches = codes.map((code) => ({ code, title: titles[code], sport, date: firstMatch }));
    if (firstGoal === null) return matches;
    return [...matches, { code: 'FIRST_GOAL', title: titles.FIRST_GOAL, sport, date: firstGoal }];
  });
  const order = keysOf(titles);
  const sorted = candidates.toSorted(
    (one, other) => one.date.localeCompare(other.date) || order.indexOf(one.code) - order.indexOf(other.code),
  );
  // reversed: of several entries with one key, a map has the last
  const earliest = new Map(sorted.toReversed().map((each) => [`${each.sport} ${each.code}`, each]));
  return sorted.filter((each) => earliest.get(`${each.sport} ${each.code}`) === each);
}

/**
 * The age in whole years on a day. A birth year alone determines it on the last day of a year only: on all other days two ages are possible.
 */
export function ageAt(
  { dateOfBirth, birthYear }: { readonly dateOfBirth: string | null; readonly birthYear: number | null },
  day: string,
): number | null {
  if (dateOfBirth !== null) return ageOn(dateOfBirth, day);
  return birthYear !== null && day.endsWith('-12-31') ? Number(day.slice(0, 4)) - birthYear : null;
}
