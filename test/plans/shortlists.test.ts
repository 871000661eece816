/** Query plans of shortlists, entries and contact requests: indexes serve every filter, with 50,000 rows each. */
import { afterAll, beforeAll, describe } from '@jest/globals';
import { createContactRequestReads } from '../../subgraphs/scouting/contact-requests/reads.ts';
import { createShortlistEntryReads } from '../../subgraphs/scouting/shortlist-entries/reads.ts';
import { createShortlistReads } from '../../subgraphs/scouting/shortlists/reads.ts';
import type { Context } from '../../subgraphs/runtime/subgraph.ts';
import type {
  QueryContactRequestsArgs,
  QueryShortlistEntriesArgs,
  QueryShortlistsArgs,
} from '../../subgraphs/scouting/generated/resolvers.ts';
import { cloneDatabase, type ClonedDatabase } from '../database.ts';
import { anonymous, fill, openExplained, testFewRowsRead } from './explained.ts';

let database: ClonedDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.drop());

describe('private lists', () => {
  const id = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
  const ids = (number: string): string => `('00000000-0000-4000-8000-' || lpad((${number})::text, 12, '0'))::uuid`;

  let explained: Record<'shortlist' | 'shortlist_entry' | 'contact_request', ReturnType<typeof openExplained>>;
  beforeAll(async () => {
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
  });

  /** An account that owns all requested rows. */
  const reader = (): Context => ({
    ...anonymous(),
    viewer: { ...anonymous().viewer, kind: 'KEY', accountId: id(7) },
    load: <Key, Value>(_: unknown, key: Key) => Promise.resolve({ id: key } as Value),
  });

  const since = { updatedSince: '2020-01-01T00:00:00Z' };
  const page = { first: 20 };

  describe('shortlists', () => {
    testFewRowsRead<Omit<QueryShortlistsArgs, 'first'>>(
      [{}, { filter: since }, { filter: { externalId: `CRM:${id(7)}` } }],
      (args) => {
        const { services, reading } = explained.shortlist;
        return reading(() => createShortlistReads(services).list(reader(), { ...page, ...args }));
      },
    );
  });

  const filters: NonNullable<QueryShortlistEntriesArgs['filter']>[] = [
    {},
    since,
    { stage: ['SIGNED'] },
    { priority: ['LOW'] },
    { externalId: `CRM:${id(7)}` },
  ];

  describe('entries', () => {
    testFewRowsRead(filters, (filter) => {
      const { services, reading } = explained.shortlist_entry;
      const entries = createShortlistEntryReads(services, createShortlistReads(services));
      return reading(() => entries.list(reader(), { ...page, shortlistId: id(7), filter }));
    });
  });

  const sorts: NonNullable<QueryShortlistEntriesArgs['sort']>[] = ['CREATED_AT_ASC', 'UPDATED_AT_DESC', 'PRIORITY_DESC'];

  describe('sorted entries', () => {
    testFewRowsRead(sorts, (sort) => {
      const { services, reading } = explained.shortlist_entry;
      const entries = createShortlistEntryReads(services, createShortlistReads(services));
      return reading(() => entries.list(reader(), { ...page, shortlistId: id(7), sort }));
    });
  });

  const sides: NonNullable<QueryContactRequestsArgs['filter']>[] = [
    {},
    since,
    { side: 'SENDER' },
    { side: 'OWNER' },
    { status: ['DECLINED'] },
    { athleteId: [id(7)] },
    { athleteId: [id(7), id(8), id(9)] },
  ];

  describe('contact requests', () => {
    testFewRowsRead(sides, (filter) => {
      const { services, reading } = explained.contact_request;
      return reading(() => createContactRequestReads(services).list(reader(), { ...page, filter }));
    });
  });
});
