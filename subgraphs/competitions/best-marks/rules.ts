/** Which marks count for the best of an event over all seasons, and which of two is the better one. */
import { isWindAssisted } from '../rankings/by-mark.ts';
import type { MarkRule } from '../rankings/mark.ts';
import { ascending } from '../rankings/placing.ts';
import { eventOf } from '../../../schema/sports.ts';
import type { AgeGroup, CompetitionCategory, MarkUnit, Sport } from '../resolvers.generated.ts';
import type { ParticipantPart } from '../results/rows.ts';
import type { SeasonFact } from '../season-rankings/facts.ts';
import { eventRuleOf } from '../season-rankings/rules-of.ts';

/** Lists of best marks: one for each of these. */
export interface MarkList {
  readonly sport: Sport;
  readonly eventCode: string;
  readonly category: CompetitionCategory;
  /** Empty where it makes no difference. */
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

/** In these disciplines a mark of one place compares with that of another: roads, trails and open water differ. */
const comparable: Readonly<Partial<Record<Sport, readonly string[]>>> = {
  ATHLETICS: ['TRACK', 'FIELD', 'ROAD', 'COMBINED'],
  SWIMMING: ['POOL'],
  CYCLING: ['TRACK'],
};

/** Whether any event of the sport has best marks. */
export const hasBestMarks = (sport: Sport): boolean => comparable[sport] !== undefined;

/** Courses whose marks do not compare. */
export const courses: readonly string[] = ['LONG_COURSE', 'SHORT_COURSE'];

/** The young throw lighter things and run over lower hurdles (World Athletics C2.1 TR22, TR32): their marks do not compare. */
const implementsByAge = /^(?:SHOT_PUT|DISCUS_THROW|HAMMER_THROW|JAVELIN_THROW|DECATHLON|HEPTATHLON|PENTATHLON|.*_HURDLES)$/;
const ofFullAge: readonly (AgeGroup | null)[] = [null, 'SENIOR', 'U23', 'U22', 'U21'];

interface Held {
  readonly eventCode: string | null;
  readonly category: CompetitionCategory | null;
  readonly course: string | null;
  readonly ageGroup: AgeGroup | null;
}

/** The list that marks of a contest are in; null for relays, and where marks do not compare. `category` is the competition's. */
export function markListOf(
  season: SeasonFact & { readonly category: CompetitionCategory | null },
  contest: Held & { readonly id: string },
): (MarkList & { readonly rule: MarkRule; readonly discipline: string }) | null {
  const { sport } = season;
  const { eventCode, course, ageGroup } = contest;
  const event = eventCode === null ? undefined : eventOf(sport, eventCode);
  const rule = eventRuleOf(season, contest);
  if (eventCode === null || !event || !rule || event.members !== undefined) return null;
  if (!comparable[sport]?.includes(event.discipline)) return null;
  if (implementsByAge.test(eventCode) && !ofFullAge.includes(ageGroup)) return null;
  const category = contest.category ?? season.category ?? 'OPEN';
  const { discipline } = event;
  return { sport, eventCode, category, course: course !== null && courses.includes(course) ? course : '', rule, discipline };
}

/** Whether a mark may be anybody's best: valid, of the event's unit, not vacated, without too much wind. */
export function isEligible({ mark, invalidResultMark, vacated, windMmPerS }: ParticipantPart, { unit }: MarkRule): boolean {
  return mark?.unit === unit && !invalidResultMark && !vacated && !isWindAssisted(windMmPerS);
}

/** What a list says of itself, and nothing else. */
export const listKey = ({ sport, eventCode, category, course }: MarkList): string =>
  [sport, eventCode, category, course].join(' ');

/** The better mark first, of equal ones the earlier. */
export const betterMark =
  ({ direction }: MarkRule) =>
  (one: BestMark, other: BestMark): number =>
    (direction === 'LOWER_IS_BETTER' ? one.value - other.value : other.value - one.value) ||
    ascending(one.heldOn, other.heldOn) ||
    ascending(one.matchId, other.matchId);
