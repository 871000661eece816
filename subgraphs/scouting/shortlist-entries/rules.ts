/** The stages of an entry of a shortlist: from which of them each is reached. */
import type { Transitions } from '../../../platform/writes/transition.ts';
import type { ShortlistStage } from '../resolvers.generated.ts';

const ladder = ['IDENTIFIED', 'WATCHLIST', 'SCOUTED', 'SHORTLISTED', 'CONTACTED'] as const;

/** Up step by step; put aside and back where the account wants it; who was given up begins anew, and who came stays. */
export const stageTransitions = {
  IDENTIFIED: { from: ['ON_HOLD', 'REJECTED', 'LOST'], to: 'IDENTIFIED', actors: ['OWNER'] },
  WATCHLIST: { from: ['IDENTIFIED', 'ON_HOLD'], to: 'WATCHLIST', actors: ['OWNER'] },
  SCOUTED: { from: ['WATCHLIST', 'ON_HOLD'], to: 'SCOUTED', actors: ['OWNER'] },
  SHORTLISTED: { from: ['SCOUTED', 'ON_HOLD'], to: 'SHORTLISTED', actors: ['OWNER'] },
  CONTACTED: { from: ['SHORTLISTED', 'ON_HOLD'], to: 'CONTACTED', actors: ['OWNER'] },
  SIGNED: { from: ['CONTACTED'], to: 'SIGNED', actors: ['OWNER'] },
  REJECTED: { from: [...ladder, 'ON_HOLD'], to: 'REJECTED', actors: ['OWNER'] },
  ON_HOLD: { from: [...ladder], to: 'ON_HOLD', actors: ['OWNER'] },
  LOST: { from: [...ladder, 'ON_HOLD'], to: 'LOST', actors: ['OWNER'] },
} as const satisfies Transitions<ShortlistStage, ShortlistStage>;
