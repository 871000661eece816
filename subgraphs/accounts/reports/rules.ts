/** The states of reports. */
import type { Transitions } from '../../../platform/writes/transition.ts';
import type { ReportStatus } from '../generated/resolvers.ts';

export const reportTransitions = {
  uphold: { from: ['OPEN'], to: 'UPHELD', actors: ['MODERATOR'] },
  dismiss: { from: ['OPEN'], to: 'DISMISSED', actors: ['MODERATOR'] },
} as const satisfies Transitions<ReportStatus, string>;

export type ReportVerb = keyof typeof reportTransitions;
