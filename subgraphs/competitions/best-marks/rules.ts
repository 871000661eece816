/** Which marks count as best marks of an event over all seasons, and how they compare. */
import type { MarkRule } from '../rankings/mark.ts';
import { ascending } from '../rankings/placing.ts';
import { eventOf } from '../../../schema/sports.ts';
import type { AgeGroup, CompetitionCategory, InvalidResultMark, MarkUnit, Sport } from '../generated/resolvers.ts';
import { recordMarkOf, type RecordMark } from '../results/record-marks.ts';
import { eventRuleOf } from '../season-rankings/effective-rules.ts';
import type { SeasonFact } from '../season-rankings/facts.ts';

/** The identity of a list of best marks. */
export interface MarkList {
  readonly sport: Sport;
  readonly eventCode: string;
  readonly category: CompetitionCategory;
  /** Empty where marks of all courses compare. */
  readonly course: string;
}

export interface BestMark {
  readonly athleteId: string;
  readonly value: number;
  readonly unit: MarkUnit;
  readonly windMmPerS: number | null;
  readonly matchId: string;
  readonly participantId: string;
  /** YYYY-MM-DD */
  readonly heldOn: string;
}

/** Disciplines whose marks compare between venues. Roads in other sports, trails and open water differ. */
const comparable: Readonly<Partial<Record<Sport, readonly string[]>>> = {
  ATHLETICS: ['TRACK', 'FIELD', 'ROAD', 'COMBINED'],
  SWIMMING: ['POOL'],
  CYCLING: ['TRACK'],
};

/** Whether any event of the sport has best marks. */
export const hasBestMarks = (sport: Sport): boolean => comparable[sport] !== undefined;

/** Courses whose marks do not compare with each other. World Athletics lists marks on short tracks (200 m) on their own. */
export const courses: readonly string[] = ['LONG_COURSE', 'SHORT_COURSE', 'SHORT_TRACK'];

/** Events where younger age groups use lighter implements and lower hurdles (World Athletics C2.1 TR22, TR32): marks do not compare. */
const implementsByAge = /^(?:SHOT_PUT|.*_THROW|DECATHLON|HEPTATHLON.*|PENTATHLON.*|.*_HURDLES)$/;
const seniorImplements: readonly (AgeGroup | null)[] = [null, 'SENIOR', 'U23', 'U22', 'U21'];

interface MarkContest {
  readonly eventCode: string | null;
  readonly category: CompetitionCategory | null;
  readonly course: string | null;
  readonly ageGroup: AgeGroup | null;
  /** Of a Para contest. */
  readonly sportClass?: string | null;
}

/** The list of the marks of a contest; null for relays and Para contests, and where marks do not compare. `category` is that of the competition. */
export function markListOf(
  season: SeasonFact & { readonly category: CompetitionCategory | null },
  contest: MarkContest & { readonly id: string },
): (MarkList & { readonly rule: MarkRule; readonly discipline: string }) | null {
  const { sport } = season;
  const { eventCode, course, ageGroup } = contest;
  const event = eventCode === null ? undefined : eventOf(sport, eventCode);
  const rule = eventRuleOf(season, contest);
  if (eventCode === null || !event || !rule || event.members !== undefined || contest.sportClass) return null;
  if (!comparable[sport]?.includes(event.discipline)) return null;
  if (implementsByAge.test(eventCode) && !seniorImplements.includes(ageGroup)) return null;
  const category = contest.category ?? season.category ?? 'OPEN';
  const { discipline } = event;
  return { sport, eventCode, category, course: course !== null && courses.includes(course) ? course : '', rule, discipline };
}

/** What decides which mark of a participant counts. */
type Performance = Parameters<typeof recordMarkOf>[0] & {
  readonly invalidResultMark: InvalidResultMark | null;
  readonly vacated: boolean;
};

/** The mark of a result that can be a best mark: valid, in the unit of the event, not vacated, without too much wind; null without one. */
export function eligibleMark(performance: Performance, { unit }: MarkRule): RecordMark | null {
  const { mark, invalidResultMark, vacated } = performance;
  return mark?.unit === unit && !invalidResultMark && !vacated ? recordMarkOf(performance) : null;
}

/** A key of a list. */
export const listKey = ({ sport, eventCode, category, course }: MarkList): string =>
  [sport, eventCode, category, course].join(' ');

/** Sorts better marks first, and of equal marks the earlier one. */
export const betterMark =
  ({ direction }: MarkRule) =>
  (one: BestMark, other: BestMark): number =>
    (direction === 'LOWER_IS_BETTER' ? one.value - other.value : other.value - one.value) ||
    ascending(one.heldOn, other.heldOn) ||
    ascending(one.matchId, other.matchId);
