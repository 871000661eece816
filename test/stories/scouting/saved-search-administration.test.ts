/** Saved searches of all accounts for administrators, and of accounts that are suspended or closed. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { AdministratorClient } from '../../administrator.ts';
import type { Client } from '../../client.ts';
import { queryRows } from '../../rows.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { createAdult } from '../organizations/clubs.ts';
import { anyVersion } from './scouts.ts';
import { alertsOf, foundBy, runAll, saveSearch } from './searchers.ts';

let platform: TestPlatform;
let agent: Client;
let scout: Client;
let other: Client;
let admin: AdministratorClient;
let viewer: AdministratorClient;
let scoutId: string;
let otherId: string;
beforeAll(async () => {
  platform = await openTestPlatform();
  [agent, scout, other] = [
    await platform.account({ account: 'Agent' }),
    await platform.account({ account: 'Scout' }),
    await platform.account({ account: 'Other' }),
  ];
  [admin, viewer] = [await platform.administrator('ADMIN'), await platform.administrator('VIEWER')];
  const { data } = await admin.run('{ accounts(first: 100) { nodes { id name } } }');
  const accountOf = (name: string): string =>
    data.accounts.nodes.find((account: { readonly name: string }) => account.name === name).id;
  [scoutId, otherId] = [accountOf('Scout'), accountOf('Other')];
});
afterAll(() => platform.close());

const idOf = (path: string): string => path.split('/').at(-1) ?? '';

const act = async (verb: 'suspend' | 'reinstate' | 'close', id: string): Promise<void> => {
  const { errors } = await admin.run(`mutation ($id: ID!) { ${verb}Account(id: $id) { id } }`, { id });
  expect(errors).toEqual([]);
};

/** The number of stored matches of a search, which its account cannot read while it is suspended. */
const matchesOf = async (search: string): Promise<number> =>
  (
    await queryRows(
      platform.database,
      'select id from scouting.saved_search_subject where search_id = $1 and matched_at is not null',
      [idOf(search)],
    )
  ).length;

test('a search of a suspended account does not run, and reports what it missed after the account is reinstated', async () => {
  const searches = [
    await saveSearch(scout, { athletes: { q: 'Suspendo' } }),
    await saveSearch(other, { athletes: { q: 'Suspendo' } }),
  ] as const;
  await act('suspend', scoutId);
  const { id } = await createAdult(agent, { displayName: 'Suspendo One' });
  await runAll(platform);
  expect(await Promise.all(searches.map(matchesOf))).toEqual([0, 1]);
  const [{ waits }] = (await queryRows(
    platform.database,
    `select next_run_at > now() + interval '50 minutes' as waits from scouting.saved_search where id = '${idOf(searches[0])}'`,
  )) as [{ waits: boolean }];
  expect(waits).toBe(true);
  await act('reinstate', scoutId);
  await runAll(platform);
  expect(await foundBy(scout, searches[0])).toEqual([id]);
  expect(await alertsOf(platform, scout, searches[0])).toBe(1);
  await runAll(platform);
  expect(await alertsOf(platform, scout, searches[0])).toBe(1);
});

test('a search of a closed account does not run', async () => {
  const closed = await platform.account({ account: 'Closed' });
  const search = await saveSearch(closed, { athletes: { q: 'Closeda' } });
  const { data } = await admin.run('{ accounts(first: 1, filter: { name: "Closed" }) { nodes { id } } }');
  await act('close', data.accounts.nodes[0].id);
  await createAdult(agent, { displayName: 'Closeda One' });
  await runAll(platform);
  expect(await matchesOf(search)).toBe(0);
});

const listDocument = `query ($first: Int! = 20, $after: String, $filter: SavedSearchFilter) {
  savedSearches(first: $first, after: $after, filter: $filter) {
    nodes { id name kind filter intervalMinutes paused lastMatchedAt matchCount createdAt account { id name } }
    pageInfo { nextCursor }
  }
}`;

test('every role lists the saved searches of all accounts in pages, newest first, and filters by account', async () => {
  const first = await saveSearch(scout, { athletes: { q: 'Listeda' } }, { name: 'Listed by Scout' });
  const second = await saveSearch(other, { opportunities: { type: ['TRIAL'] } }, { name: 'Listed by Other', paused: true });
  await createAdult(agent, { displayName: 'Listeda One' });
  await createAdult(agent, { displayName: 'Listeda Two' });
  await runAll(platform);
  const { lastMatchedAt } = (await scout.get(first)).body;
  for (const role of ['OWNER', 'ADMIN', 'MODERATOR', 'VIEWER'] as const) {
    const { data, errors } = await (await platform.administrator(role)).run(listDocument, { first: 2 });
    expect(errors).toEqual([]);
    expect(data.savedSearches.nodes).toMatchObject([
      {
        id: idOf(second),
        name: 'Listed by Other',
        kind: 'OPPORTUNITIES',
        filter: { opportunities: { type: ['TRIAL'] } },
        paused: true,
        lastMatchedAt: null,
        matchCount: 0,
        account: { id: otherId, name: 'Other' },
      },
      {
        id: idOf(first),
        name: 'Listed by Scout',
        intervalMinutes: 60,
        paused: false,
        lastMatchedAt,
        matchCount: role === 'VIEWER' ? null : 2,
        account: { id: scoutId, name: 'Scout' },
      },
    ]);
  }
  const page = (await viewer.run(listDocument, { first: 1 })).data.savedSearches;
  const next = await viewer.run(listDocument, { first: 1, after: page.pageInfo.nextCursor });
  expect(next.data.savedSearches.nodes).toMatchObject([{ id: idOf(first) }]);
  const ofScout = (await viewer.run(listDocument, { filter: { accountId: scoutId } })).data.savedSearches.nodes;
  expect(ofScout.map((search: { account: unknown }) => search.account)).toEqual(
    ofScout.map(() => ({ id: scoutId, name: 'Scout' })),
  );
  expect(ofScout[0]).toMatchObject({ id: idOf(first) });
  const both = { accountId: otherId, kind: ['ATHLETES'] };
  expect((await viewer.run(listDocument, { filter: both })).data.savedSearches.nodes).toMatchObject([
    { account: { id: otherId }, kind: 'ATHLETES' },
  ]);
  expect((await viewer.run(listDocument, { first: 101 })).errors[0].extensions.code).toBe('parameter_invalid');
});

test('the list reads the database and the accounts once, however many searches it has', async () => {
  for (const account of [scout, other, agent]) await saveSearch(account, { athletes: { q: 'Once' } });
  platform.statements();
  await viewer.run(listDocument, { first: 100 });
  const statements = platform.statements().filter((name) => /savedSearch|accounts\./.test(name));
  expect(statements.toSorted()).toEqual(['accounts.byIds', 'savedSearches.list', 'savedSearches.matchCounts']);
});

test('administrators read a search, and change none', async () => {
  const search = await saveSearch(scout, { athletes: { q: 'Single' } });
  const read = await viewer.run('query ($id: ID!) { savedSearch(id: $id) { name account { name } } }', { id: idOf(search) });
  expect(read.data.savedSearch).toEqual({ name: 'Left backs', account: { name: 'Scout' } });
  const remove = 'mutation ($id: ID!) { deleteSavedSearch(id: $id, ifMatch: "*") { deleted } }';
  expect((await viewer.run(remove, { id: idOf(search) })).errors[0].extensions.code).toBe('insufficient_scope');
  expect((await scout.delete(search, anyVersion)).status).toBe(200);
});

test('the public schema has neither the account nor the number of matches of a search', async () => {
  for (const document of [
    '{ savedSearches { nodes { matchCount } } }',
    '{ savedSearches { nodes { account { name } } } }',
    `{ savedSearches(filter: { accountId: "${otherId}" }) { nodes { id } } }`,
  ])
    expect((await scout.graphql(document)).body.errors[0].extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
});
