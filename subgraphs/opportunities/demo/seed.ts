/** The demo data of the opportunities area: opportunities of every organization, with applications to some of them. */
import { openRandom } from '../../../platform/random.ts';
import type { DemoAthlete, DemoData } from '../../../schema/demo.ts';
import { addExternalId, type AreaSeed } from '../../runtime/area-seed.ts';
import { statusForOpenings } from '../opportunities/lifecycle.ts';
import { addApplications } from './applications.ts';
import { opportunityCounts, opportunityRow } from './opportunities.ts';

/** Athletes of earlier squads, who apply to other organizations than their own. */
const applicantPools = new WeakMap<DemoData, DemoAthlete[]>();
const applicantsMax = 500;
/** Only the first organizations receive applications, so that the amount does not grow with the demo data. */
const receivingMax = 200;

function addToPool(demo: DemoData, athletes: readonly DemoAthlete[]): void {
  const applicants = athletes.filter(({ age, status }) => age >= 18 && status === 'ACTIVE');
  applicantPools.set(demo, [...(applicantPools.get(demo) ?? []), ...applicants].slice(-applicantsMax));
}

export const opportunitiesSeed: AreaSeed = {
  tables: ['opportunity', 'application', 'external_id', 'history'],
  squad({ organization, athletes }, demo, add) {
    const random = openRandom(`${organization.id}/opportunities`);
    const count = random.weighted(opportunityCounts[organization.type]);
    const receives = organization.number <= receivingMax;
    for (let number = 1; number <= count; number += 1) {
      const id = random.uuid();
      const row = { id, ...opportunityRow(random, organization, demo) };
      const applicants = receives && row.status !== 'DRAFT' ? (applicantPools.get(demo) ?? []) : [];
      const admitted = addApplications(random.fork(`applications/${number}`), row, applicants, demo, add);
      const remainingOpenings = row.totalOpenings - admitted;
      add('opportunity', { ...row, remainingOpenings, status: statusForOpenings(row.status, remainingOpenings) });
      addExternalId(add, demo, 'opportunity', id, `opportunity-${organization.number}-${number}`);
    }
    if (receives) addToPool(demo, athletes);
  },
};
