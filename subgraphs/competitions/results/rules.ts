/** The states and transitions of results. */
import type { Transitions } from '../../../platform/writes/transition.ts';
import type { ResultStatus } from '../generated/resolvers.ts';

export const resultTransitions = {
  certify: { from: ['PROVISIONAL'], to: 'OFFICIAL', actors: ['OWNER'] },
  correct: { from: ['OFFICIAL', 'CORRECTED', 'ANNULLED'], to: 'CORRECTED', actors: ['OWNER'] },
  annul: { from: ['PROVISIONAL', 'OFFICIAL', 'CORRECTED'], to: 'ANNULLED', actors: ['OWNER'] },
} as const satisfies Transitions<ResultStatus, string>;

export type ResultVerb = keyof typeof resultTransitions;
