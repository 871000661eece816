/** Query plans of saved searches: indexes serve the lists and find the due searches, with 50,000 rows each. */
import { afterAll, beforeAll, describe } from '@jest/globals';
import { claimDue } from '../../subgraphs/scouting/saved-searches/matching-state.ts';
import { createSavedSearchReads } from '../../subgraphs/scouting/saved-searches/reads.ts';
import type { Context } from '../../subgraphs/runtime/subgraph.ts';
import type { QuerySavedSearchesArgs, QuerySavedSearchMatchesArgs } from '../../subgraphs/scouting/generated/resolvers.ts';
import { cloneDatabase, type ClonedDatabase } from '../database.ts';
import { anonymous, fill, openExplained, testFewRowsRead } from './explained.ts';

const id = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const ids = (number: string): string => `('00000000-0000-4000-8000-' || lpad((${number})::text, 12, '0'))::uuid`;

let database: ClonedDatabase;
let searches: ReturnType<typeof openExplained>;
let subjects: ReturnType<typeof openExplained>;
let due: ReturnType<typeof openExplained>;
beforeAll(async () => {
  database = await cloneDatabase();
  await fill(database, 'scouting', [
    `insert into saved_search (id, account_id, created_at, updated_at, name, kind, filter, paused, next_run_at)
      select ${ids('i')}, ${ids('i % 500')}, now() - i * interval '1 minute', now() - i * interval '1 minute', i::text, 'ATHLETES',
        '{"athletes": {}}', i % 5 = 0, now() + (i - 5) * interval '1 minute' from generate_series(1, 50000) i`,
    `insert into saved_search_subject (search_id, subject_id, matched_at)
      select ${ids('7')}, ${ids('i')}, case when i % 2 = 0 then now() - i * interval '1 second' end from generate_series(1, 50000) i`,
    ...['saved_search', 'saved_search_subject'].map((table) => `analyze ${table}`),
  ]);
  searches = openExplained(database, 'scouting', 'saved_search');
  subjects = openExplained(database, 'scouting', 'saved_search_subject');
  due = openExplained(database, 'scouting', 'saved_search', /claimDue/);
});
afterAll(async () => {
  for (const each of [searches, subjects, due]) await each.close();
  await database.drop();
});

/** An account that owns all requested rows. */
const reader = (): Context => ({
  ...anonymous(),
  viewer: { ...anonymous().viewer, kind: 'KEY', accountId: id(7) },
  load: <Key, Value>(_: unknown, key: Key) => Promise.resolve({ id: key, kind: 'PROSPECTS' } as Value),
});

const administrator = (): Context => ({ ...anonymous(), viewer: { ...anonymous().viewer, kind: 'ADMINISTRATOR' } });

describe('saved searches', () => {
  testFewRowsRead<NonNullable<QuerySavedSearchesArgs['filter']>>(
    [{}, { updatedSince: '2020-01-01T00:00:00Z' }, { ids: [id(7)] }],
    (filter) => searches.reading(() => createSavedSearchReads(searches.services).list(reader(), { first: 20, filter })),
  );
});

describe('saved searches of all accounts', () => {
  testFewRowsRead<NonNullable<QuerySavedSearchesArgs['filter']>>([{}, { accountId: id(7) }, { kind: ['ATHLETES'] }], (filter) =>
    searches.reading(() => createSavedSearchReads(searches.services).list(administrator(), { first: 20, filter })),
  );
});

describe('matches', () => {
  testFewRowsRead<Partial<QuerySavedSearchMatchesArgs>>([{}, { since: '2020-01-01T00:00:00Z' }], (args) =>
    subjects.reading(() =>
      createSavedSearchReads(subjects.services).matches(reader(), { first: 20, savedSearchId: id(7), ...args }),
    ),
  );
});

describe('due searches', () => {
  testFewRowsRead([10], (limit) => due.reading(() => claimDue(due.services.database, limit)));
});
