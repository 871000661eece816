/** The demo data of the scouting area: shortlists, contact requests and saved searches. Sweeps of the projections create the prospects. */
import type { AreaSeed } from '../../runtime/area-seed.ts';
import { addSavedSearches } from './saved-searches.ts';
import { addShortlists } from './shortlists.ts';

export const scoutingSeed: AreaSeed = {
  tables: [
    'projection_sweep',
    'shortlist',
    'shortlist_entry',
    'scouting_report',
    'contact_request',
    'saved_search',
    'saved_search_subject',
  ],
  demo(demo, add) {
    for (const name of ['athletes', 'opportunities']) add('projection_sweep', { name });
    addSavedSearches(demo, addShortlists(demo, add), add);
  },
};
