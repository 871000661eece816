/** Violated constraints of the competitions area that are the caller's to mend. */
import type { Constraints } from '../../platform/constraint.ts';

export const competitionConstraints: Constraints = {
  competition_one_organizer: {
    code: 'validation_failed',
    detail: 'Give either organizerId or organizerName; delete the other one with null.',
  },
  season_dates: { code: 'validation_failed', detail: 'A season cannot end before it starts.' },
  season_name: { code: 'conflict', detail: 'The competition already has a season of this name.' },
  season_competition_id_fkey: { code: 'in_use', detail: 'Seasons refer to this competition.' },
  replay_match_id_fkey: { code: 'in_use', detail: 'Replays refer to this match.' },
};
