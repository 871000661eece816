/** Test mode in an installation with one process per role: the process `sandbox` has the test data, and no rights on other data. */
import { setTimeout as sleep } from 'node:timers/promises';
import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { createGraphClient, type GraphClient } from '../../../platform/http/graph-client.ts';
import { createFramedSubgraph } from '../../../router/transport/framed-subgraph.ts';
import { sandboxRole } from '../../../platform/database/roles.ts';
import { formatSandboxSubject } from '../../../platform/security/sandbox-subject.ts';
import { issueTicket } from '../../../platform/security/ticket.ts';
import { accountViewer, ANONYMOUS, inSandbox, SYSTEM, type Viewer } from '../../../schema/viewer.ts';
import { createResetClient } from '../../../wiring/sandboxes/reset-client.ts';
import type { Client } from '../../client.ts';
import { eventually } from '../../eventually.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { openSource } from '../events/event-source.ts';
import { png, upload } from '../images/pictures.ts';
import { createEndpoint } from '../webhooks/fixture.ts';
import { openReceiver, type Receiver } from '../webhooks/receiver.ts';
import { club, issueTestKey, type KeyedClient } from './test-key.ts';

let platform: TestPlatform;
let receiver: Receiver;
let live: KeyedClient;
let one: KeyedClient;
let other: KeyedClient;
beforeAll(async () => {
  [platform, receiver] = await Promise.all([openTestPlatform({ isolated: true, wiring: 'separate processes' }), openReceiver()]);
  live = await platform.account({ account: 'One' });
  [one, other] = [await issueTestKey(platform, 'One'), await issueTestKey(platform, 'Two')];
});
afterAll(async () => {
  await receiver.close();
  await platform.close();
});

const ofSandbox = (name = 'sandbox'): string => platform.processes?.url(name) ?? '';
const readNames = '{ organizations(first: 100) { nodes { name } } }';

/** Runs an operation of the area organizations in a sandbox process, as a router with this key. */
async function send(url: string, viewer: Viewer, query = readNames, key = keyOf('edge/router-sandbox')) {
  const area = createFramedSubgraph({ area: 'organizations', process: 'sandbox', url, key, ticketKey: keyOf('ticket') });
  const call = { query, variables: {}, operationName: null, viewer, requestId: 'test', signal: undefined };
  return area.query(call).finally(() => area.close?.());
}

const namesOf = async (client: Client): Promise<string[]> =>
  (await client.get('/organizations?limit=100')).body.data.map(({ name }: { name: string }) => name);
const accountOf = async (client: Client): Promise<string> => (await client.get('/me')).body.account.id;
const keyOf = (purpose: string): Buffer => platform.database.secrets.derive(purpose);

test('test data is separate from that of other accounts and of the platform, and refers to other areas', async () => {
  await live.post('/organizations', club('Live FC'));
  const { status, body } = await one.post('/organizations', club('Test FC'));
  expect({ status, body }).toMatchObject({ status: 201 });
  expect(await namesOf(one)).toEqual(['Test FC']);
  expect(await namesOf(other)).toEqual([]);
  expect(await namesOf(live)).toEqual(['Live FC']);
  expect((await live.get(`/organizations/${body.id}`)).status).toBe(404);
  // a write that reads another area with the ticket of its viewer
  const cup = { name: 'Test cup', sport: 'FOOTBALL', type: 'CUP', organizerId: body.id };
  expect((await one.post('/competitions', cup)).body).toMatchObject({ organizer: { id: body.id } });
  expect((await one.get('/me')).body).toMatchObject({ account: { name: 'One' }, key: { mode: 'TEST' } });
});

test('events, streams and webhooks of test data are marked', async () => {
  await createEndpoint(one, receiver, { types: ['organization.created'] });
  const types = ['organization.created'];
  const [ofTest, ofLive] = [await openSource(platform, one.key, { types }), await openSource(platform, live.key, { types })];
  const { body: created } = await one.post('/organizations', club('Streamed FC'));
  await live.post('/organizations', club('Live streamed FC'));
  await ofTest.until((events) => events.some(({ data }) => data.data.id === created.id && data.mode === 'TEST'));
  await ofLive.until((events) => events.some(({ data }) => data.mode === 'LIVE'));
  expect(ofTest.events.map(({ data }) => data.mode)).toEqual(['TEST']);
  expect(ofLive.events.map(({ data }) => data.mode)).toEqual(['LIVE']);
  [ofTest, ofLive].forEach((source) => source.close());
  await receiver.received(1);
  expect(JSON.parse(receiver.requests[0]?.body ?? '')).toMatchObject({ mode: 'TEST', data: { id: created.id } });
});

describe('a process that has one key', () => {
  const opened: GraphClient[] = [];
  afterAll(() => Promise.all(opened.map((client) => client.close())));
  const rejected = { code: 'upstream_unavailable' };

  function graph(subjectOf: (viewer: Viewer) => string, signedAs = 'sandbox'): GraphClient {
    const url = platform.internalUrl ?? '';
    const client = createGraphClient({ url, caller: 'sandbox', key: keyOf(`edge/${signedAs}-router`), subjectOf });
    opened.push(client);
    return client;
  }

  test('the sandbox process queries the graph on test data only', async () => {
    const accountId = await accountOf(one);
    const names = async (viewer: Viewer): Promise<unknown> =>
      (await graph(formatSandboxSubject).asViewer(viewer, 'test')<{ organizations: unknown }>(readNames)).organizations;
    const testData = { nodes: expect.arrayContaining([{ name: 'Test FC' }]) };
    expect(await names(inSandbox(SYSTEM, accountId))).toEqual(testData);
    expect(await names(inSandbox(accountViewer(accountId, []), accountId))).toEqual(testData);
    expect(() => formatSandboxSubject(SYSTEM)).toThrow('A sandbox acts as the system or as its account on test data.');
    // a caller with a key reads those of the platform
    const own = graph(formatSandboxSubject).asViewer(inSandbox(accountViewer(accountId, []), accountId), 'test');
    const { plans } = await own<{ plans: { nodes: { code: string }[] } }>('{ plans(first: 100) { nodes { code } } }');
    expect(plans.nodes.map(({ code }) => code)).not.toContain('plenty');
    expect((await one.get('/plans?limit=100')).body.data.map(({ code }: { code: string }) => code)).toContain('plenty');
    const forged = (subject: unknown) => graph(() => Buffer.from(JSON.stringify(subject)).toString('base64url'));
    for (const subject of [{ scopes: null }, { sandbox: null, scopes: null }, { accountId, scopes: [] }])
      await expect(forged(subject).asViewer(SYSTEM, 'test')(readNames)).rejects.toMatchObject(rejected);
    for (const text of [
      'worker',
      issueTicket(keyOf('ticket'), 'athletes', ANONYMOUS) ?? '',
      issueTicket(keyOf('ticket'), 'sandbox', ANONYMOUS) ?? '',
    ])
      await expect(graph(() => text).asViewer(SYSTEM, 'test')(readNames)).rejects.toMatchObject(rejected);
    const asArea = graph(formatSandboxSubject, 'athletes').asViewer(inSandbox(SYSTEM, accountId), 'test');
    await expect(asArea(readNames)).rejects.toMatchObject(rejected);
  });

  test('the sandbox process answers the router only, and for test data only', async () => {
    const accountId = await accountOf(one);
    expect((await send(ofSandbox(), inSandbox(ANONYMOUS, accountId))).data).toBeDefined();
    const { data, errors } = await send(ofSandbox(), SYSTEM);
    expect([data, errors?.[0]?.message]).toEqual([null, 'The sandbox process serves test data only.']);
    const wrongKey = send(ofSandbox(), inSandbox(ANONYMOUS, accountId), readNames, keyOf('edge/accounts-sandbox'));
    await expect(wrongKey).rejects.toMatchObject(rejected);
    const reset = createResetClient({ url: ofSandbox(), key: keyOf('edge/router-sandbox') });
    await expect(reset.reset(accountId)).rejects.toMatchObject(rejected);
    await reset.close();
  });

  test('the database role of the sandbox process cannot read the data of the platform', async () => {
    const client = new pg.Client({ connectionString: platform.database.urlAs(sandboxRole) });
    await client.connect();
    for (const table of ['accounts.account', 'athletes.athlete', 'organizations.outbox'])
      await expect(client.query(`select from ${table}`)).rejects.toThrow('permission denied');
    await client.end();
  });
});

const images = async (): Promise<number> =>
  (await readdir(platform.imageFolder, { recursive: true })).filter((name) => name.endsWith('.webp')).length;

test('when the sandbox process is killed, live keys are not affected, and no acknowledged write is lost', async () => {
  const { processes } = platform;
  expect((await one.post('/organizations', club('Acknowledged FC'))).status).toBe(201);
  const { body: created } = await other.post('/organizations', club('With crest'));
  expect((await upload(other, `/organizations/${created.id}`, await png())).status).toBe(200);
  await processes?.stop('sandbox', 'SIGKILL');
  for (let count = 0; count < 6; count += 1) {
    const { status, body, headers } = await one.get('/organizations');
    expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'upstream_unavailable', '1']);
    expect((await live.get('/organizations')).status).toBe(200);
  }
  expect(await one.delete('/test-data')).toMatchObject({ status: 503, body: { code: 'upstream_unavailable' } });
  expect((await one.get('/me')).status).toBe(200);
  await processes?.start('sandbox');
  await eventually(async () => expect(await namesOf(one)).toContain('Acknowledged FC'));
  expect((await one.post('/organizations', club('Later FC'))).status).toBe(201);
});

test('test data is deleted on request, with its images, also while a second sandbox process has it open', async () => {
  await platform.processes?.start('sandbox-2');
  const viewer = inSandbox(accountViewer(await accountOf(other), []), await accountOf(other));
  const ofSecond = async (): Promise<unknown> => (await send(ofSandbox('sandbox-2'), viewer)).data?.['organizations'];
  expect(await ofSecond()).toEqual({ nodes: [{ name: 'With crest' }] });
  expect(await images()).toBe(3);
  expect((await live.delete('/test-data')).body.code).toBe('conflict');
  let deletion = await other.delete('/test-data');
  // the process opened the sandbox less than 30 s ago, for example for a late event
  if (deletion.status === 409) {
    await sleep(Number(deletion.headers.get('retry-after') ?? 31) * 1_000);
    deletion = await other.delete('/test-data');
  }
  expect(deletion).toMatchObject({ status: 200, body: { deleted: true } });
  expect(await namesOf(other)).toEqual([]);
  expect(await namesOf(one)).toContain('Later FC');
  const again = await other.delete('/test-data');
  expect([again.status, again.body.detail]).toEqual([409, expect.stringContaining('opened less than 30 s ago')]);
  await eventually(async () => expect(await ofSecond()).toEqual({ nodes: [] }));
  // one of both processes sends each event
  const later = await openReceiver();
  await createEndpoint(other, later, { types: ['organization.created'] });
  for (const name of ['A', 'B', 'C']) await other.post('/organizations', club(name));
  await later.received(3);
  await eventually(async () => expect(await images()).toBe(0));
  expect(later.requests).toHaveLength(3);
  await later.close();
});
