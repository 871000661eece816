/** The event log: administrators read the events of all accounts, newest first. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { AdministratorClient } from '../../administrator.ts';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { createClub } from '../organizations/clubs.ts';

let platform: TestPlatform;
let owner: Client;
let viewer: AdministratorClient;
const clubs: string[] = [];
let accountId: string;
beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account({ account: 'Owner' });
  for (const name of ['One', 'Two', 'Three']) clubs.push((await createClub(owner, { name, status: 'DRAFT' })).id);
  await owner.post('/scouting/shortlists', { name: 'Secret' });
  await platform.settled();
  viewer = await platform.administrator('VIEWER');
  const { data } = await viewer.run('{ accounts(first: 1, filter: { q: "Owner" }) { nodes { id } } }');
  accountId = data.accounts.nodes[0].id;
});
afterAll(() => platform.close());

const document = `query ($first: Int!, $after: String, $filter: EventLogFilter) {
  eventLog(first: $first, after: $after, filter: $filter) {
    nodes { id type sequence area timestamp sports resource { type id version } account { id name } }
    pageInfo { nextCursor }
  }
}`;

async function read(filter: object, after: string | null = null, first = 100) {
  const { data, errors } = await viewer.run(document, { first, after, filter });
  expect(errors).toEqual([]);
  return data.eventLog;
}

const created = { type: ['organization.created'] };

test('lists events of all accounts newest first, also of private resources, in pages', async () => {
  const { nodes } = await read(created);
  expect(nodes.map(({ resource }: { resource: { id: string } }) => resource.id)).toEqual(clubs.toReversed());
  expect(nodes[0]).toMatchObject({ area: 'ORGANIZATIONS', account: { id: accountId, name: 'Owner' }, resource: { version: 1 } });
  const first = await read(created, null, 2);
  const second = await read(created, first.pageInfo.nextCursor, 2);
  expect([...first.nodes, ...second.nodes]).toEqual(nodes);
  expect(second.pageInfo.nextCursor).toBeNull();
});

test('filters by area, resource, account, time and position', async () => {
  const { nodes: all } = await read({});
  expect((await read({ area: ['SCOUTING'] })).nodes).toMatchObject([{ type: 'shortlist.created' }]);
  expect((await read({ resourceId: clubs[1] })).nodes).toHaveLength(1);
  expect((await read({ ...created, accountId })).nodes).toHaveLength(3);
  expect((await read({ ...created, accountId: clubs[0] })).nodes).toEqual([]);
  expect((await read({ sport: ['TENNIS'] })).nodes).toEqual([]);
  expect((await read({ since: new Date(Date.now() + 60_000).toISOString() })).nodes).toEqual([]);
  const [last, ...earlier] = all;
  expect((await read({ afterSequence: last.sequence })).nodes).toEqual([]);
  expect((await read({ afterSequence: earlier[0].sequence })).nodes).toEqual([last]);
  const { errors } = await viewer.run(document, { first: 1, filter: { type: ['organization.create'] } });
  expect(errors[0].extensions).toMatchObject({ code: 'parameter_invalid' });
});

test('an event has the current representation of its subject', async () => {
  const [entry] = (await read({ resourceId: clubs[0] })).nodes;
  const detail = 'query ($id: ID!) { event(id: $id) { id type data { type deleted representation } } }';
  expect((await viewer.run(detail, { id: entry.id })).data.event).toMatchObject({
    id: entry.id,
    data: { type: 'Organization', deleted: false, representation: { name: 'One', status: 'DRAFT' } },
  });
  expect((await viewer.run(detail, { id: clubs[0] })).data.event).toBeNull();
});

test('keys have no access', async () => {
  const { body } = await owner.graphql('{ eventLog(first: 1) { nodes { id } } }');
  expect(body.errors[0].extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
});
