/** Demo data: this area makes its prospects of the athletes by its own projection, from the first id to the last; and what scouts keep. */
import type { AreaSeed } from '../../runtime/area-seed.ts';
import { addShortlists } from './shortlists.ts';

export const scoutingSeed: AreaSeed = {
  tables: ['projection_sweep', 'shortlist', 'shortlist_entry', 'scouting_report', 'contact_request'],
  demo(demo, add) {
    for (const name of ['athletes', 'opportunities']) add('projection_sweep', { name });
    addShortlists(demo, add);
  },
};
