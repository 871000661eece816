/** The event log of the portal: members read the events that name their account, newest first. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { createMember, type MemberClient } from '../../member.ts';
import type { TestPlatform } from '../../test-platform.ts';
import { applicantsOf } from '../opportunities/applicants.ts';
import { createClub } from '../organizations/clubs.ts';
import { openMarket } from '../scouting/market.ts';

let platform: TestPlatform;
let member: MemberClient;
/** A member of the account that owns the opportunity. */
let opportunityMember: MemberClient;
const clubs: string[] = [];
let otherClub: string;
let otherShortlist: string;
let application: string;

async function memberOf(owner: Client): Promise<MemberClient> {
  const { body } = await owner.get('/me');
  return createMember(platform, { role: 'VIEWER', accountId: body.account.id });
}

beforeAll(async () => {
  const market = await openMarket();
  ({ platform } = market);
  const { owner, other } = market;
  for (const name of ['One', 'Two', 'Three']) clubs.push((await createClub(other, { name, status: 'DRAFT' })).id);
  otherClub = market.club.id;
  otherShortlist = (await owner.post('/scouting/shortlists', { name: 'Secret' })).body.id;
  const applicants = applicantsOf(market, other);
  ({ id: application } = await applicants.createApplication((await applicants.createOpportunity()).id));
  await platform.settled();
  [member, opportunityMember] = await Promise.all([memberOf(other), memberOf(owner)]);
});
afterAll(() => platform.close());

const document = `query ($first: Int! = 50, $after: String, $filter: EventLogFilter) {
  eventLog(first: $first, after: $after, filter: $filter) {
    nodes { id type sequence area resource { id } }
    pageInfo { nextCursor }
  }
}`;
const detail = 'query ($id: ID!) { event(id: $id) { type data { deleted representation } } }';

interface Entry {
  readonly id: string;
  readonly type: string;
  readonly sequence: number;
  readonly resource: { readonly id: string };
}

const created = { type: ['organization.created'] };

test('a member reads the events of the account in pages, and no event of another account', async () => {
  const { eventLog } = await member.run(document, { filter: created });
  expect(eventLog.nodes.map(({ resource }: Entry) => resource.id)).toEqual(clubs.toReversed());
  const first = (await member.run(document, { first: 2, filter: created })).eventLog;
  const second = (await member.run(document, { first: 2, after: first.pageInfo.nextCursor, filter: created })).eventLog;
  expect([...first.nodes, ...second.nodes]).toEqual(eventLog.nodes);
  expect(second.pageInfo.nextCursor).toBeNull();
  const { eventLog: all } = await member.run(document);
  const ids = all.nodes.map(({ resource }: Entry) => resource.id);
  expect([ids.includes(otherClub), ids.includes(otherShortlist)]).toEqual([false, false]);
  for (const resourceId of [otherClub, otherShortlist])
    expect((await member.run(document, { filter: { resourceId } })).eventLog.nodes).toEqual([]);
});

test('filters by area, resource, time and position apply within the account', async () => {
  const read = async (filter: object): Promise<readonly Entry[]> => (await member.run(document, { filter })).eventLog.nodes;
  const [last] = await read(created);
  expect(await read({ area: ['SCOUTING'] })).toEqual([]);
  expect(await read({ ...created, resourceId: clubs[0] })).toHaveLength(1);
  expect(await read({ ...created, afterSequence: last?.sequence })).toEqual([]);
  expect(await read({ since: new Date(Date.now() + 60_000).toISOString() })).toEqual([]);
  expect(await member.codeOf(document, { filter: { type: ['organization.create'] } })).toBe('parameter_invalid');
});

test('both sides of an application read its events', async () => {
  for (const side of [member, opportunityMember]) {
    const { eventLog } = await side.run(document, { filter: { resourceId: application } });
    const types = eventLog.nodes.map(({ type }: Entry) => type);
    expect([side.email, types]).toEqual([side.email, ['application.submitted']]);
    const sequences = (await side.run(document)).eventLog.nodes.map(({ sequence }: Entry) => sequence);
    expect(sequences).toEqual(sequences.toSorted((one: number, other: number) => other - one));
    expect(new Set(sequences).size).toBe(sequences.length);
  }
});

test('the details of an event are what the member can read now', async () => {
  const [event] = (await member.run(document, { filter: { ...created, resourceId: clubs[0] } })).eventLog.nodes;
  expect(await member.run(detail, { id: event.id })).toMatchObject({
    event: { type: 'organization.created', data: { deleted: false, representation: { name: 'One', status: 'DRAFT' } } },
  });
  const administrator = await platform.administrator('VIEWER');
  const { data } = await administrator.run(document, { filter: { resourceId: otherShortlist } });
  expect(data.eventLog.nodes).toHaveLength(1);
  expect(await member.run(detail, { id: data.eventLog.nodes[0].id })).toEqual({ event: null });
});

test('members select no account, and keys have no access', async () => {
  const documents = [
    '{ eventLog { nodes { account { id } } } }',
    '{ eventLog(filter: { accountId: "01a20f3d-d734-7ac8-85d3-b2771718a756" }) { nodes { id } } }',
  ];
  for (const text of documents) expect(await member.codeOf(text)).toBe('GRAPHQL_VALIDATION_FAILED');
  const { body } = await platform.anonymous.graphql('{ event(id: "01a20f3d-d734-7ac8-85d3-b2771718a756") { id } }');
  expect(body.errors[0].extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
});
