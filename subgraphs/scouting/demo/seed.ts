/** The demo data of the scouting area: shortlists and contact requests. Sweeps of the projections create the prospects. */
import type { AreaSeed } from '../../runtime/area-seed.ts';
import { addShortlists } from './shortlists.ts';

export const scoutingSeed: AreaSeed = {
  tables: ['projection_sweep', 'shortlist', 'shortlist_entry', 'scouting_report', 'contact_request'],
  demo(demo, add) {
    for (const name of ['athletes', 'opportunities']) add('projection_sweep', { name });
    addShortlists(demo, add);
  },
};
