/** Data that is private to one account, or to two sides. */
import pg from 'pg';
import type { Scope } from '../../../schema/scopes.ts';
import type { Client } from '../../client.ts';
import { applicantsOf, applyTransitions } from '../opportunities/applicants.ts';
import { createAdult } from '../organizations/clubs.ts';
import { openMarket, type Market } from '../scouting/market.ts';
import { verifiedAccount } from '../athletes/minors-fixture.ts';
import type { Ids } from './private-operations.ts';
import { saveSearch } from '../scouting/searchers.ts';
import { addEntry, createContactRequest, createShortlist, report } from '../scouting/scouts.ts';

/** A word that all private data contains. */
export const secret = 'Zephyrine';

export const scopes: readonly Scope[] = [
  'athletes:write',
  'scouting:read',
  'scouting:write',
  'opportunities:read',
  'opportunities:write',
  'documents:write',
  'events:read',
];

export interface PrivateData extends Market {
  readonly ids: Ids;
  /** A draft application. */
  readonly draft: string;
  /** A shortlist of the third account, with an entry. */
  readonly own: Pick<Ids, 'shortlist' | 'entry'>;
  /** Owns the athlete. */
  readonly agent: Client;
  readonly scout: Client;
  /** Not a side, with all scopes. */
  readonly third: Client & { readonly organizationId: string };
  readonly rows: pg.Client;
  /** Every row of the private tables, as one text. */
  dumpRows(): Promise<string>;
  close(): Promise<void>;
}

const idOf = (path: string): string => path.split('/').at(-1) ?? '';
const tables = [
  'opportunities.application',
  'scouting.shortlist',
  'scouting.shortlist_entry',
  'scouting.scouting_report',
  'scouting.saved_search',
  'scouting.saved_search_subject',
];
const all = [...tables, 'scouting.contact_request'].map((table) => `select to_jsonb(t)::text as row from ${table} t`);

/** Creates the data; close it at the end of the file. */
export async function openPrivateData(): Promise<PrivateData> {
  const market = await openMarket();
  const { platform } = market;
  const rows = new pg.Client({ connectionString: platform.database.ownerUrl });
  await rows.connect();
  const [agent, scout] = await Promise.all([platform.account({ account: 'Agent' }), platform.account({ account: 'Scout' })]);
  const third = await verifiedAccount(platform, market.moderator, 'Third', {
    officer: true,
    scopes: [...scopes, 'moderation:write', 'minors:read'],
  });
  const { createOpportunity, createApplication } = applicantsOf(market, agent);
  const { id: opportunity } = await createOpportunity();
  const externalIds = [{ scheme: 'CRM', value: 'same' }];
  const responses = [{ question: 'Who?', answer: secret }];
  const { id: application, athleteId: athlete } = await createApplication(opportunity, { answers: responses, externalIds });
  await applyTransitions(market.owner, application, 'review', 'offer');
  const { id: draft } = await createApplication(opportunity, { status: 'DRAFT', answers: responses });
  const list = await createShortlist(scout, { name: secret, externalIds });
  const entry = await addEntry(scout, list, athlete, { notes: secret, externalIds });
  const { body } = await scout.post(`${entry}/reports`, report());
  const request = await createContactRequest(scout, athlete, { message: secret });
  const search = idOf(await saveSearch(scout, { athletes: { q: secret } }));
  await rows.query('insert into scouting.saved_search_subject (search_id, subject_id, matched_at) values ($1, $2, now())', [
    search,
    athlete,
  ]);
  const thirds = await createShortlist(third);
  return {
    ...market,
    agent,
    scout,
    third,
    draft,
    own: { shortlist: idOf(thirds), entry: idOf(await addEntry(third, thirds, (await createAdult(agent)).id)) },
    ids: {
      application,
      opportunity,
      organization: market.club.id,
      athlete,
      shortlist: idOf(list),
      entry: idOf(entry),
      report: body.id,
      request: idOf(request),
      search,
    },
    rows,
    dumpRows: async () => JSON.stringify((await rows.query(`${all.join(' union all ')} order by 1`)).rows),
    async close() {
      await rows.end();
      await platform.close();
    },
  };
}
