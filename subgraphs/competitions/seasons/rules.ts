/** Lifecycle and validation of seasons. */
import type { Violation } from '../../../schema/errors.ts';
import type { Transitions } from '../../../platform/writes/transition.ts';
import type { SeasonStatus } from '../generated/resolvers.ts';

export const seasonTransitions = {
  start: { from: ['PLANNED'], to: 'IN_PROGRESS', actors: ['OWNER'] },
  finish: { from: ['IN_PROGRESS'], to: 'FINISHED', actors: ['OWNER'] },
  archive: { from: ['FINISHED'], to: 'ARCHIVED', actors: ['OWNER'] },
  cancel: { from: ['PLANNED', 'IN_PROGRESS'], to: 'CANCELLED', actors: ['OWNER'] },
} as const satisfies Transitions<SeasonStatus, string>;

export type SeasonVerb = keyof typeof seasonTransitions;

interface SeasonDates {
  readonly startDate: string;
  readonly endDate: string;
}

/** Validates the dates of a season. ISO dates compare as text. */
export function seasonViolations({ startDate, endDate }: SeasonDates): (Violation | false)[] {
  return [
    endDate < startDate && { pointer: '/endDate', code: 'before_start', detail: '`endDate` must not be before `startDate`.' },
  ];
}
