/** Stage transitions of shortlist entries. */
import type { Transitions } from '../../../platform/writes/transition.ts';
import type { ShortlistStage } from '../generated/resolvers.ts';

const pipeline = ['IDENTIFIED', 'WATCHLIST', 'SCOUTED', 'SHORTLISTED', 'CONTACTED'] as const;

/** The verb of a transition is its new stage. REJECTED and LOST lead back to IDENTIFIED. SIGNED is final. */
export const stageTransitions = {
  IDENTIFIED: { from: ['ON_HOLD', 'REJECTED', 'LOST'], to: 'IDENTIFIED', actors: ['OWNER'] },
  WATCHLIST: { from: ['IDENTIFIED', 'ON_HOLD'], to: 'WATCHLIST', actors: ['OWNER'] },
  SCOUTED: { from: ['WATCHLIST', 'ON_HOLD'], to: 'SCOUTED', actors: ['OWNER'] },
  SHORTLISTED: { from: ['SCOUTED', 'ON_HOLD'], to: 'SHORTLISTED', actors: ['OWNER'] },
  CONTACTED: { from: ['SHORTLISTED', 'ON_HOLD'], to: 'CONTACTED', actors: ['OWNER'] },
  SIGNED: { from: ['CONTACTED'], to: 'SIGNED', actors: ['OWNER'] },
  REJECTED: { from: [...pipeline, 'ON_HOLD'], to: 'REJECTED', actors: ['OWNER'] },
  ON_HOLD: { from: [...pipeline], to: 'ON_HOLD', actors: ['OWNER'] },
  LOST: { from: [...pipeline, 'ON_HOLD'], to: 'LOST', actors: ['OWNER'] },
} as const satisfies Transitions<ShortlistStage, ShortlistStage>;
