/** Marks of field events from the attempts of each athlete. */
import { isDeepStrictEqual } from 'node:util';
import type { AttemptInput, ParticipantResultInput } from '../generated/resolvers.ts';
import type { MatchFacts, Violations } from './facts.ts';
import { plausibilityViolation } from './marks.ts';
import type { AttemptValue } from './rows.ts';

/** In vertical jumps the value of an attempt is the height of the bar. */
const verticalEvents: readonly (string | null)[] = ['HIGH_JUMP', 'POLE_VAULT'];
const fieldEvents: readonly (string | null)[] = [
  ...verticalEvents,
  'LONG_JUMP',
  'TRIPLE_JUMP',
  'SHOT_PUT',
  'DISCUS_THROW',
  'HAMMER_THROW',
  'JAVELIN_THROW',
];

type Performance = Pick<ParticipantResultInput, 'mark' | 'countback' | 'windMmPerS' | 'invalidResultMark'>;

/** The mark is the greatest height; then fewer failures at it, and fewer failures until then (World Athletics Technical Rules 26.8). */
function verticalPerformance(attempts: readonly AttemptInput[]): Performance {
  const heights = attempts.flatMap(({ outcome, value }) => (outcome === 'VALID' ? (value ?? []) : []));
  if (heights.length === 0) return { invalidResultMark: 'NH' };
  const best = Math.max(...heights);
  const failures = attempts.filter(({ outcome, value }) => outcome === 'FAILED' && (value ?? 0) <= best);
  const atBest = failures.filter(({ value }) => value === best);
  return { mark: { value: best }, countback: [0 - atBest.length, 0 - failures.length] };
}

/** The mark is the longest attempt, with its wind; then the next longest (World Athletics Technical Rules 25.22). */
function horizontalPerformance(attempts: readonly AttemptInput[]): Performance {
  const valid = attempts
    .filter(({ outcome }) => outcome === 'VALID')
    .toSorted((one, other) => (other.value ?? 0) - (one.value ?? 0));
  const [best, ...others] = valid;
  if (typeof best?.value !== 'number') return { invalidResultMark: 'NM' };
  return {
    mark: { value: best.value },
    countback: others.flatMap(({ value }) => value ?? []),
    ...(typeof best.windMmPerS === 'number' ? { windMmPerS: best.windMmPerS } : {}),
  };
}

const failuresMax = 3;

/** Whether an attempt follows three consecutive failures. A passed attempt does not interrupt them. */
function isAfterElimination(attempts: readonly AttemptInput[], index: number): boolean {
  const taken = attempts.slice(0, index).filter(({ outcome }) => outcome !== 'PASSED');
  return taken.some(
    (_, last) => taken.slice(last, last + failuresMax).filter(({ outcome }) => outcome === 'FAILED').length === failuresMax,
  );
}

/** Violations of the outcome of an attempt: World Athletics Technical Rules 26.2 (three failures) and 30.1 (no mark for a failure). */
function outcomeViolations(given: ParticipantResultInput, index: number, isVertical: boolean, pointer: string): Violations {
  const attempts = given.attempts ?? [];
  const { outcome, value } = attempts[index] ?? {};
  return [
    isVertical &&
      isAfterElimination(attempts, index) && {
        pointer: `${pointer}/attempts/${index}`,
        code: 'eliminated',
        detail: `After ${failuresMax} consecutive failures the athlete has no further attempt. Remove this attempt.`,
      },
    !isVertical &&
      outcome !== 'VALID' &&
      typeof value === 'number' && {
        pointer: `${pointer}/attempts/${index}/value`,
        code: 'no_mark',
        detail: `An attempt with the outcome ${outcome ?? ''} has no mark. Remove \`value\`, or set the outcome VALID.`,
      },
  ];
}

function attemptViolations(given: ParticipantResultInput, facts: MatchFacts, isVertical: boolean, pointer: string): Violations {
  const attempts = given.attempts ?? [];
  const isField = facts.sport === 'ATHLETICS' && fieldEvents.includes(facts.eventCode);
  return [
    !isField && {
      pointer: `${pointer}/attempts`,
      code: 'not_for_event',
      detail: `Attempts are for the events ${fieldEvents.join(', ')} in athletics. Set \`mark\` instead.`,
    },
    ...attempts.flatMap(({ outcome, value }, index): Violations => {
      const at = `${pointer}/attempts/${index}/value`;
      const before = attempts[index - 1]?.value ?? 0;
      const isMissing = typeof value !== 'number' && (isVertical || outcome === 'VALID');
      const detail = isVertical ? 'The height of the bar is required.' : 'A valid attempt requires its mark.';
      return [
        typeof value === 'number' && plausibilityViolation(value, facts, at),
        ...outcomeViolations(given, index, isVertical, pointer),
        isMissing && { pointer: at, code: 'required', detail },
        isVertical &&
          typeof value === 'number' &&
          value < before && {
            pointer: at,
            code: 'not_ascending',
            detail: `The bar is never lowered: ${value} is less than ${before}.`,
          },
      ];
    }),
  ];
}

/** Mark and countback that differ from those of the attempts. Equal ones are allowed, so that a read result can be sent again. */
function contradictions({ mark, countback }: ParticipantResultInput, derived: Performance, pointer: string): Violations {
  const isOther = (given: unknown, own: unknown): boolean =>
    given !== undefined && given !== null && !isDeepStrictEqual(given, own);
  const violation = (member: string) => ({
    pointer: `${pointer}/${member}`,
    code: 'contradiction',
    detail: `\`${member}\` differs from the attempts, from which it follows. Remove \`${member}\`.`,
  });
  return [
    (typeof mark?.text === 'string' || isOther(mark?.value, derived.mark?.value)) && violation('mark'),
    isOther(countback, derived.countback ?? []) && (countback ?? []).length > 0 && violation('countback'),
  ];
}

/**
 * Derives mark, countback, wind and a missing mark from the attempts of a participant, in their order. Without attempts nothing changes.
 * `pointer` is that of the participant.
 */
export function withAttempts(
  given: ParticipantResultInput,
  facts: MatchFacts,
  pointer: string,
): { readonly given: ParticipantResultInput; readonly violations: Violations } {
  if (!given.attempts || given.attempts.length === 0) return { given, violations: [] };
  const isVertical = verticalEvents.includes(facts.eventCode);
  const violations = attemptViolations(given, facts, isVertical, pointer);
  if (violations.some(Boolean)) return { given: { ...given, mark: null }, violations };
  const { invalidResultMark, ...performance } = (isVertical ? verticalPerformance : horizontalPerformance)(given.attempts);
  const contradicted = contradictions(given, performance, pointer);
  if (contradicted.some(Boolean)) return { given: { ...given, mark: null }, violations: contradicted };
  const missing = given.invalidResultMark ?? invalidResultMark;
  // A disqualified athlete keeps the attempts, without a mark.
  if (missing) return { given: { ...given, invalidResultMark: missing }, violations };
  return { given: { ...given, ...performance }, violations };
}

/** The stored attempts; absent without attempts. */
export const attemptsOf = ({ attempts }: ParticipantResultInput): { readonly attempts?: readonly AttemptValue[] } =>
  attempts && attempts.length > 0
    ? {
        attempts: attempts.map(({ outcome, value, windMmPerS }) => ({
          outcome,
          value: value ?? null,
          windMmPerS: windMmPerS ?? null,
        })),
      }
    : {};
