/** Marks of a result, in the unit of the event, and the ranks that follow from them. */
import { markLimit } from '../../../schema/best-marks.ts';
import type { Violation } from '../../../schema/errors.ts';
import { rankByMark } from '../rankings/by-mark.ts';
import { displayMark, markRuleOf, readMark, type MarkRule } from '../rankings/mark.ts';
import type { ParticipantResultInput } from '../generated/resolvers.ts';
import type { ParticipantPart } from './rows.ts';
import type { MatchFacts, Violations } from './facts.ts';

/** The unit and direction of an event; null where it is not measured. A race stage without an event is timed. */
function measureOf({ sport, eventCode, stageType }: Pick<MatchFacts, 'sport' | 'eventCode' | 'stageType'>): MarkRule | null {
  if (eventCode !== null) return markRuleOf(sport, eventCode) ?? null;
  return stageType === 'RACE_STAGE' ? { unit: 'ms', direction: 'LOWER_IS_BETTER' } : null;
}

interface ReadMark {
  readonly mark: ParticipantPart['mark'];
  readonly violations: Violations;
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** The violation for a mark that no athlete can reach: a typing error, or another unit. */
export function plausibilityViolation(
  value: number,
  { sport, eventCode, stageType }: MatchFacts,
  pointer: string,
): Violation | null {
  const measure = measureOf({ sport, eventCode, stageType });
  const limits = measure && markLimit(sport, eventCode, measure.direction);
  if (!limits) return null;
  const isBeyond = measure.direction === 'LOWER_IS_BETTER' ? value < limits.limit : value > limits.limit;
  if (!isBeyond) return null;
  const [mark, limit] = [displayMark(value, measure.unit), displayMark(limits.limit, measure.unit)];
  const bound = measure.direction === 'LOWER_IS_BETTER' ? 'shortest' : measure.unit === 'mm' ? 'longest' : 'highest';
  const unit = measure.unit === 'ms' ? 'milliseconds' : measure.unit === 'mm' ? 'millimeters' : 'points';
  const detail = `The mark ${mark} is not plausible for ${eventCode ?? ''}. The ${bound} accepted mark is ${limit}. \`value\` is in ${unit}.`;
  return { pointer, code: 'not_plausible', detail };
}

/** The mark of one participant in the unit of the event. `pointer` is that of the participant. */
export function markOf(given: ParticipantResultInput, facts: MatchFacts, pointer: string): ReadMark {
  const { invalidResultMark, vacated, rank, splits } = given;
  const invalid = !!invalidResultMark && vacated !== true;
  const violations: Violations = [
    invalid &&
      !!given.mark && {
        pointer: `${pointer}/mark`,
        code: 'one_of',
        detail: `Set either \`mark\` or \`invalidResultMark: ${invalidResultMark}\`. Both are allowed only with \`vacated: true\`.`,
      },
    invalid &&
      !!rank && {
        pointer: `${pointer}/rank`,
        code: 'not_ranked',
        detail: `A participant with ${invalidResultMark} has no rank. Remove \`rank\`.`,
      },
    (splits ?? []).some((split) => split < 0) && {
      pointer: `${pointer}/splits`,
      code: 'out_of_range',
      detail: 'Splits must not be negative.',
    },
  ];
  if (!given.mark) return { mark: null, violations };
  const measure = measureOf(facts);
  if (!measure) {
    const event = facts.eventCode === null ? 'The contest has no event' : `The event ${facts.eventCode} has no marks`;
    const detail = `${event}. Set scores, outcomes or ranks instead, or set the \`eventCode\` of the contest.`;
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
  const exceeds = sum > value && {
    pointer: `${pointer}/splits`,
    code: 'above_mark',
    detail: `The splits add up to ${sum} ${unit}, which is more than the mark of ${value} ${unit}.`,
  };
  const implausible = plausibilityViolation(value, facts, `${pointer}/mark`);
  return { mark: { value, unit }, violations: [...violations, exceeds, implausible] };
}

/** Derives ranks from marks where no rank is given. A vacated rank stays vacant. */
export function withPlaces(parts: readonly ParticipantPart[], facts: MatchFacts): readonly ParticipantPart[] {
  const measure = measureOf(facts);
  // Riders in one group have the same time but different ranks, which only the judges know.
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
