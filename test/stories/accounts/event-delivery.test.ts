/** The event delivery through the admin API: lag and dead letters of consumers, and retries by administrators. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { AdministratorClient } from '../../administrator.ts';
import type { Client } from '../../client.ts';
import { eventually } from '../../eventually.ts';
import { blockProjection } from '../../relay.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { createClub } from '../organizations/clubs.ts';

let platform: TestPlatform;
let owner: Client;
let admin: AdministratorClient;
let viewer: AdministratorClient;
let database: pg.Client;

beforeAll(async () => {
  platform = await openTestPlatform({ isolated: true });
  owner = await platform.account({ account: 'Club' });
  admin = await platform.administrator('ADMIN');
  viewer = await platform.administrator('VIEWER');
  database = new pg.Client({ connectionString: platform.database.ownerUrl });
  await database.connect();
});
afterAll(async () => {
  await database.end();
  await platform.close();
});

interface ConsumerItem {
  readonly area: string;
  readonly name: string;
  readonly lag: number;
  readonly oldestSeconds: number | null;
  readonly deadLetters: number;
}

async function read(document: string, variables: Record<string, unknown> = {}) {
  const { data, errors } = await viewer.run(document, variables);
  expect(errors).toEqual([]);
  return data;
}

const consumers = async (): Promise<ConsumerItem[]> =>
  (await read('{ eventConsumers { area name publishedBy lag oldestSeconds deadLetters updatedAt } }')).eventConsumers;

const consumer = async (area: string, name: string) =>
  (await consumers()).find((each) => each.area === area && each.name === name);

const list = `query ($area: Area!, $consumer: String!, $first: Int! = 20, $after: String) {
  deadLetters(area: $area, consumer: $consumer, first: $first, after: $after) {
    nodes { id type resourceType resourceId version position at error attempts failedAt retryRequested }
    pageInfo { nextCursor hasMore }
  }
}`;
const organizations = { area: 'OPPORTUNITIES', consumer: 'organizations' };

const deadLetters = async (): Promise<{ readonly id: string }[]> => (await read(list, organizations)).deadLetters.nodes;

const mutation = `mutation ($area: Area!, $consumer: String!, $eventIds: [ID!]) {
  retryDeadLetters(area: $area, consumer: $consumer, eventIds: $eventIds) { requested }
}`;
const retry = (by: AdministratorClient, variables: object) => by.run(mutation, { ...organizations, ...variables });

const relayHealth = async () => {
  const { health } = await read('{ health { kind status detail } }');
  return health.find(({ kind }: { kind: string }) => kind === 'RELAY');
};

/** Until it is removed, the projection of a club in opportunities fails. */
async function breakProjection(id: string): Promise<() => Promise<unknown>> {
  await database.query(
    `alter table opportunities.organization add constraint broken check (id <> '${id}' or version < 2) not valid`,
  );
  return () => database.query('alter table opportunities.organization drop constraint broken');
}

async function failedClub(name: string): Promise<{ readonly id: string; repair(): Promise<unknown> }> {
  const { id } = await createClub(owner, { name });
  await platform.settled();
  const repair = await breakProjection(id);
  await owner.patch(`/organizations/${id}`, { name: `${name} 2` }, { 'if-match': '*' });
  for (let attempt = 0; attempt < 4; attempt += 1) await platform.settled();
  return { id, repair };
}

test('lists the consumers of all areas, which are up to date without events', async () => {
  await createClub(owner);
  await platform.settled();
  const all = await consumers();
  expect(new Set(all.map(({ area }) => area)).size).toBeGreaterThanOrEqual(5);
  expect(all.filter(({ lag, oldestSeconds, deadLetters: letters }) => lag > 0 || oldestSeconds !== null || letters > 0)).toEqual(
    [],
  );
  expect(await consumer('OPPORTUNITIES', 'organizations')).toMatchObject({
    publishedBy: 'ORGANIZATIONS',
    updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
  });
  expect(await relayHealth()).toMatchObject({ status: 'UP', detail: null });
});

test('a blocked consumer has a lag with the age of its oldest event; after 30 s the relay is degraded', async () => {
  await createClub(owner);
  await platform.settled();
  const blocked = await blockProjection(platform.database, 'opportunities', 'organizations');
  try {
    const { id } = await createClub(owner);
    await database.query("update organizations.outbox set at = at - interval '45 seconds' where resource_id = $1", [id]);
    const late = await consumer('OPPORTUNITIES', 'organizations');
    expect(late?.lag).toBeGreaterThan(0);
    expect(late?.oldestSeconds).toBeGreaterThanOrEqual(45);
    expect(await relayHealth()).toMatchObject({
      status: 'DEGRADED',
      detail: expect.stringMatching(/^\d consumers? behind, the oldest event waits for 4\d s\. See Event delivery$/),
    });
  } finally {
    await blocked.release();
  }
  await platform.settled();
  expect(await consumer('OPPORTUNITIES', 'organizations')).toMatchObject({ lag: 0, oldestSeconds: null });
});

test('a failed event is listed, fails again, and is resolved by a retry; the request is in the audit log', async () => {
  const { id, repair } = await failedClub('Poisoned');
  expect(await consumer('OPPORTUNITIES', 'organizations')).toMatchObject({ lag: 0, deadLetters: 1 });
  expect(await relayHealth()).toMatchObject({ status: 'DEGRADED', detail: '1 dead letter of 1 consumer. See Event delivery' });
  const letters = await deadLetters();
  expect(letters).toMatchObject([
    {
      type: 'organization.updated',
      resourceType: 'organization',
      resourceId: id,
      version: 2,
      attempts: 1,
      retryRequested: false,
    },
  ]);

  const again = await retry(admin, {});
  expect(again).toEqual({ data: { retryDeadLetters: { requested: 1 } }, errors: [] });
  await eventually(async () => expect(await deadLetters()).toMatchObject([{ attempts: 2, retryRequested: false }]));

  await repair();
  expect((await retry(admin, { eventIds: letters.map((letter) => letter.id) })).errors).toEqual([]);
  await eventually(async () => expect(await deadLetters()).toEqual([]));
  const { rows } = await database.query('select version from opportunities.organization where id = $1', [id]);
  expect(rows).toEqual([{ version: 2 }]);
  expect(await consumer('OPPORTUNITIES', 'organizations')).toMatchObject({ deadLetters: 0 });
  expect(await relayHealth()).toMatchObject({ status: 'UP' });

  const { auditEntries } = await read(`{ auditEntries(filter: { resourceType: "dead_letter_retry" }) {
    nodes { area action actor { administratorId } changes { field after } } } }`);
  expect(auditEntries.nodes).toMatchObject([
    { area: 'ACCOUNTS', action: 'requested', actor: { administratorId: admin.id } },
    { area: 'ACCOUNTS', action: 'requested', actor: { administratorId: admin.id } },
  ]);
  expect(auditEntries.nodes[1].changes).toEqual(
    expect.arrayContaining([
      { field: 'area', after: '"opportunities"' },
      { field: 'consumer', after: '"organizations"' },
      { field: 'requested', after: '1' },
    ]),
  );
});

test('a retry of named events leaves the other dead letters', async () => {
  const other = await failedClub('Other');
  const [letter] = await deadLetters();
  const foreign = await retry(admin, { eventIds: [randomUUID()] });
  expect(foreign.errors[0]).toMatchObject({ extensions: { code: 'not_found' } });
  await database.query(
    `insert into opportunities.dead_letter (consumer, area, event_id, position, type, resource_type, resource_id, version, data, at, error)
    select consumer, area, uuidv7(), position, type, resource_type, uuidv7(), version, data, at, error from opportunities.dead_letter`,
  );
  await other.repair();
  await retry(admin, { eventIds: [letter?.id] });
  await platform.settled();
  const left = await deadLetters();
  expect(left).toHaveLength(1);
  expect(left[0]?.id).not.toBe(letter?.id);
  await retry(admin, {});
  await platform.settled();
  expect(await deadLetters()).toEqual([]);
  expect((await retry(admin, {})).data).toEqual({ retryDeadLetters: { requested: 0 } });
});

test('dead letters are paginated, those that failed last first, and a retry handles more than one batch', async () => {
  await database.query(
    `insert into opportunities.dead_letter
      (consumer, area, event_id, position, type, resource_type, resource_id, version, data, at, error, failed_at)
    select 'organizations', 'organizations', uuidv7(), n, 'organization.updated', 'organization', uuidv7(), 1, '{}', now(), 'TypeError',
      date_trunc('second', now()) - n / 2 * interval '1 second' from generate_series(1, 1100) n`,
  );
  const read25 = async (after: string | null) => (await read(list, { ...organizations, first: 25, after })).deadLetters;
  const pages = [await read25(null)];
  for (let page = 0; page < 3; page += 1) pages.push(await read25(pages.at(-1).pageInfo.nextCursor));
  const found = pages.flatMap(({ nodes }) => nodes as { id: string; failedAt: string }[]);
  expect(new Set(found.map(({ id }) => id)).size).toBe(100);
  const order = found.map(({ failedAt, id }) => `${failedAt} ${id}`);
  expect(order).toEqual([...order].sort().reverse());
  const other = await viewer.run(list, { area: 'SCOUTING', consumer: 'organizations', after: pages[0].pageInfo.nextCursor });
  expect(other.errors[0]).toMatchObject({ extensions: { code: 'cursor_invalid' } });

  expect((await retry(admin, {})).data).toEqual({ retryDeadLetters: { requested: 1100 } });
  await platform.settled();
  expect(await deadLetters()).toEqual([]);
});

test('a consumer that does not exist is not found', async () => {
  const unknown = { area: 'SCOUTING', consumer: 'unknown' };
  for (const [by, document] of [
    [viewer, list],
    [admin, mutation],
  ] as const) {
    const { errors } = await by.run(document, unknown);
    expect(errors[0]).toMatchObject({ extensions: { code: 'not_found' } });
  }
});

test.each(['VIEWER', 'MODERATOR'] as const)('a %s reads dead letters and cannot retry them', async (role) => {
  const reader = await platform.administrator(role);
  expect((await reader.run(list, organizations)).errors).toEqual([]);
  const { errors } = await retry(reader, {});
  expect(errors[0]).toMatchObject({ extensions: { code: 'insufficient_scope' } });
});

test('the public schema has no trace of the event delivery', async () => {
  for (const field of [
    'eventConsumers',
    'accountsEventDelivery',
    'scoutingWaitingSeconds',
    'scoutingDeadLetters',
    'deadLetters',
  ]) {
    const { body } = await owner.graphql(`{ ${field} { __typename } }`);
    const [found, suggested = ''] = body.errors[0].message.split('Did you mean');
    expect(found).toMatch(`Cannot query field "${field}"`);
    expect(suggested).not.toMatch(/eventConsumer|EventDelivery|WaitingSeconds|deadLetter/i);
  }
  const { body } = await owner.graphql('mutation { retryDeadLetters { requested } }');
  expect(body.errors[0].message).toMatch('Cannot query field "retryDeadLetters"');
});
