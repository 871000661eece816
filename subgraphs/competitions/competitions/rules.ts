/** The rules of competitions and seasons that need no database. */
import type { Violation } from '../../../schema/errors.ts';
import type { Sport } from '../../../schema/sports.ts';
import type { Transitions } from '../../../platform/writes/transition.ts';
import { registryViolation } from '../../runtime/input-violations.ts';
import type { CompetitionStatus, SeasonStatus } from '../resolvers.generated.ts';

export const competitionTransitions = {
  publish: { from: ['DRAFT'], to: 'PUBLISHED', actors: ['OWNER'] },
  archive: { from: ['PUBLISHED'], to: 'ARCHIVED', actors: ['OWNER'] },
} as const satisfies Transitions<CompetitionStatus, string>;

export type CompetitionVerb = keyof typeof competitionTransitions;

export const seasonTransitions = {
  start: { from: ['PLANNED'], to: 'IN_PROGRESS', actors: ['OWNER'] },
  finish: { from: ['IN_PROGRESS'], to: 'FINISHED', actors: ['OWNER'] },
  archive: { from: ['FINISHED'], to: 'ARCHIVED', actors: ['OWNER'] },
  cancel: { from: ['PLANNED', 'IN_PROGRESS'], to: 'CANCELLED', actors: ['OWNER'] },
} as const satisfies Transitions<SeasonStatus, string>;

export type SeasonVerb = keyof typeof seasonTransitions;

interface CompetitionMembers {
  readonly discipline?: string | null | undefined;
  readonly country?: string | null | undefined;
  readonly organizerId?: string | null | undefined;
  readonly organizerName?: string | null | undefined;
}

/** What is wrong with the members of a competition, as they will be after the write. */
export function competitionViolations(sport: Sport, members: CompetitionMembers): (Violation | null | false)[] {
  return [
    registryViolation('/discipline', sport, 'discipline', members.discipline),
    !!members.organizerId &&
      !!members.organizerName && {
        pointer: '/organizerName',
        code: 'one_of',
        detail: 'Give either organizerId or organizerName.',
      },
  ];
}

/** What is wrong with the days of a season (ISO dates compare as text). */
export function seasonViolations({
  startDate,
  endDate,
}: {
  readonly startDate: string;
  readonly endDate: string;
}): (Violation | false)[] {
  return [endDate < startDate && { pointer: '/endDate', code: 'before_start', detail: 'A season cannot end before it starts.' }];
}
