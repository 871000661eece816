/** Lifecycle and validation of competitions. */
import type { Violation } from '../../../schema/errors.ts';
import type { Sport } from '../../../schema/sports.ts';
import type { Transitions } from '../../../platform/writes/transition.ts';
import { registryViolation } from '../../runtime/input-violations.ts';
import type { CompetitionStatus } from '../generated/resolvers.ts';

export const competitionTransitions = {
  publish: { from: ['DRAFT'], to: 'PUBLISHED', actors: ['OWNER'] },
  archive: { from: ['PUBLISHED'], to: 'ARCHIVED', actors: ['OWNER'] },
} as const satisfies Transitions<CompetitionStatus, string>;

export type CompetitionVerb = keyof typeof competitionTransitions;

interface CompetitionMembers {
  readonly discipline?: string | null | undefined;
  readonly country?: string | null | undefined;
  readonly organizerId?: string | null | undefined;
  readonly organizerName?: string | null | undefined;
}

/** Validates a competition with the values that it has after the write. */
export function competitionViolations(sport: Sport, members: CompetitionMembers): (Violation | null | false)[] {
  return [
    registryViolation('/discipline', sport, 'discipline', members.discipline),
    !!members.organizerId &&
      !!members.organizerName && {
        pointer: '/organizerName',
        code: 'one_of',
        detail: 'Set either `organizerId` or `organizerName`, not both.',
      },
  ];
}
