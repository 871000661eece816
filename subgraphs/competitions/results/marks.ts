/** Marks of a result: read in the unit of the event, with the places they make. */
import { rankByMark } from '../rankings/by-mark.ts';
import { markRuleOf, readMark, type MarkRule } from '../rankings/mark.ts';
import type { ParticipantResultInput } from '../resolvers.generated.ts';
import type { ParticipantPart } from './rows.ts';
import type { Violations, MatchFacts } from './facts.ts';

/** What an event is measured in; null where it is not measured. A stage of a race without an event is timed. */
export function measureOf({ sport, eventCode, stageType }: MatchFacts): MarkRule | null {
  if (eventCode !== null) return markRuleOf(sport, eventCode) ?? null;
  return stageType === 'RACE_STAGE' ? { unit: 'ms', direction: 'LOWER_IS_BETTER' } : null;
}

interface ReadMark {
  readonly mark: ParticipantPart['mark'];
  readonly violations: Violations;
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** The mark of one participant, in the event's unit; `pointer` is the participant's. */
export function markOf(given: ParticipantResultInput, facts: MatchFacts, pointer: string): ReadMark {
  const { invalidResultMark, vacated, rank, splits } = given;
  const invalid = !!invalidResultMark && vacated !== true;
  const violations: Violations = [
    invalid &&
      !!given.mark && {
        pointer: `${pointer}/mark`,
        code: 'one_of',
        detail: `Give a mark, or ${invalidResultMark} in its place; both only for a place that was taken away (vacated).`,
      },
    invalid &&
      !!rank && {
        pointer: `${pointer}/rank`,
        code: 'not_ranked',
        detail: `Who has ${invalidResultMark} in place of a mark has no place.`,
      },
    (splits ?? []).some((split) => split < 0) && {
      pointer: `${pointer}/splits`,
      code: 'out_of_range',
      detail: 'A part of a mark is not below zero.',
    },
  ];
  if (!given.mark) return { mark: null, violations };
  const measure = measureOf(facts);
  if (!measure) {
    const what = facts.eventCode ?? 'a contest without an event';
    const detail = `There are no marks in ${what}: give scores, outcomes or places, or give the contest its eventCode.`;
    return { mark: null, violations: [...violations, { pointer: `${pointer}/mark`, code: 'not_measured', detail }] };
  }
  const { unit } = measure;
  const { text } = given.mark;
  const { value, violations: unread } =
    typeof text === 'string' ? readMark(text, unit) : { value: given.mark.value, violations: [] };
  if (typeof value !== 'number')
    return {
      mark: null,
      violations: [...violations, ...unread.map((violation) => ({ ...violation, pointer: `${pointer}/mark/text` }))],
    };
  const sum = sumOf(splits ?? []);
  const longer = sum > value && {
    pointer: `${pointer}/splits`,
    code: 'above_mark',
    detail: `The splits add up to ${sum} ${unit}, more than the mark of ${value}.`,
  };
  return { mark: { value, unit }, violations: [...violations, longer] };
}

/** Parts with the places that their marks make, where nobody was given one; a vacated place is kept, and stays empty. */
export function withPlaces(parts: readonly ParticipantPart[], facts: MatchFacts): readonly ParticipantPart[] {
  const measure = measureOf(facts);
  // Riders of one group share a time and not their places: only judges see those.
  if (!measure || facts.stageType === 'RACE_STAGE' || parts.some(({ rank }) => rank !== null)) return parts;
  const entries = parts.map(({ participantId, mark, invalidResultMark, vacated, countback }) => ({
    participantId,
    matchId: '',
    mark: mark?.value ?? null,
    invalidResultMark: vacated ? null : invalidResultMark,
    countback,
  }));
  const ranks = new Map(rankByMark(entries, measure).map(({ entry, rank }) => [entry.participantId, rank]));
  return parts.map((part) => ({ ...part, rank: ranks.get(part.participantId) ?? null }));
}
