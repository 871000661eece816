/** Every documented filter of shortlists, their entries and contact requests is served by an index, over 50,000 of each. */
import { afterAll, beforeAll, describe } from '@jest/globals';
import { createContactRequestStore } from '../../subgraphs/scouting/store/contact-request.ts';
import { createShortlistEntryStore } from '../../subgraphs/scouting/store/shortlist-entry.ts';
import { createShortlistStore } from '../../subgraphs/scouting/store/shortlist.ts';
import type {
  QueryContactRequestsArgs,
  QueryShortlistEntriesArgs,
  QueryShortlistsArgs,
} from '../../subgraphs/scouting/resolvers.generated.ts';
import type { Context } from '../../subgraphs/subgraph.ts';
import { cloneDatabase, type ClonedDatabase } from '../database.ts';
import { anonymous, fill, openExplained, readsFew } from './explained.ts';

const id = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const ids = (number: string): string => `('00000000-0000-4000-8000-' || lpad((${number})::text, 12, '0'))::uuid`;

let database: ClonedDatabase;
let explained: Record<'shortlist' | 'shortlist_entry' | 'contact_request', ReturnType<typeof openExplained>>;
beforeAll(async () => {
  database = await cloneDatabase();
  await fill(database, 'scouting', [
    `insert into shortlist (id, account_id, created_at, updated_at, name)
      select ${ids('i')}, ${ids('i % 50')}, now() - i * interval '1 minute', now() - i * interval '1 minute', i::text from generate_series(1, 50000) i`,
    `insert into shortlist_entry (account_id, created_at, updated_at, shortlist_id, athlete_id, named_id, stage, priority)
      select ${ids('i % 50')}, now() - i * interval '1 minute', now() - i * interval '1 minute', ${ids('1 + i % 50')}, ${ids('i')}, ${ids('i')},
        case when random() < 0.001 then 'SIGNED' else 'WATCHLIST' end, 'HIGH' from generate_series(1, 50000) i`,
    `insert into contact_request (account_id, owner_account_id, created_at, updated_at, athlete_id, named_id, status, message, expires_at)
      select ${ids('i % 50')}, ${ids('i % 60')}, now() - i * interval '1 minute', now() - i * interval '1 minute', ${ids('i')}, ${ids('i')},
        case when random() < 0.001 then 'DECLINED' else 'SENT' end, 'Hello', now() + interval '1 day' from generate_series(1, 50000) i`,
    ...['shortlist', 'shortlist_entry'].map(
      (type) => `insert into external_id (resource_type, account_id, scheme, value, resource_id)
        select '${type}', account_id, 'CRM', id::text, id from ${type}`,
    ),
    ...['shortlist', 'shortlist_entry', 'contact_request', 'external_id'].map((table) => `analyze ${table}`),
  ]);
  const open = (table: string) => openExplained(database, 'scouting', table);
  explained = {
    shortlist: open('shortlist'),
    shortlist_entry: open('shortlist_entry'),
    contact_request: open('contact_request'),
  };
});
afterAll(async () => {
  for (const each of Object.values(explained)) await each.close();
  await database.drop();
});

/** An account that has all it asks for. */
const reader = (): Context => ({
  ...anonymous(),
  viewer: { ...anonymous().viewer, kind: 'KEY', accountId: id(7) },
  load: <Key, Value>(_: unknown, key: Key) => Promise.resolve({ id: key } as Value),
});

const since = { updatedSince: '2020-01-01T00:00:00Z' };
const page = { first: 20 };

describe('shortlists', () => {
  readsFew<Omit<QueryShortlistsArgs, 'first'>>([{}, { filter: since }, { filter: { externalId: `CRM:${id(7)}` } }], (args) => {
    const { services, reading } = explained.shortlist;
    return reading(() => createShortlistStore(services).list(reader(), { ...page, ...args }));
  });
});

const filters: NonNullable<QueryShortlistEntriesArgs['filter']>[] = [
  {},
  since,
  { stage: ['SIGNED'] },
  { priority: ['LOW'] },
  { externalId: `CRM:${id(7)}` },
];

describe('entries', () => {
  readsFew(filters, (filter) => {
    const { services, reading } = explained.shortlist_entry;
    const entries = createShortlistEntryStore(services, createShortlistStore(services));
    return reading(() => entries.list(reader(), { ...page, shortlistId: id(7), filter }));
  });
});

const sides: NonNullable<QueryContactRequestsArgs['filter']>[] = [
  {},
  since,
  { side: 'SENDER' },
  { side: 'OWNER' },
  { status: ['DECLINED'] },
];

describe('contact requests', () => {
  readsFew(sides, (filter) => {
    const { services, reading } = explained.contact_request;
    return reading(() => createContactRequestStore(services).list(reader(), { ...page, filter }));
  });
});
