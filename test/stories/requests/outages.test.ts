/** Outages of dependencies: clear errors, atomic writes, and recovery without a restart. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import type { Client } from '../../client.ts';
import { eventually } from '../../eventually.ts';
import { countRows } from '../../rows.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { stopDatabase } from '../operations/outages.ts';
import { repeat } from '../accounts/rates.ts';

const club = (name: string) => ({ type: 'CLUB', name, country: 'DE', sports: ['FOOTBALL'], status: 'ACTIVE' });

/** Runs a statement in the platform's database as its owner. */
async function run({ database }: TestPlatform, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: database.ownerUrl });
  await client.connect();
  await client.query(statement);
  await client.end();
}

describe('a PostgreSQL outage', () => {
  let platform: TestPlatform;
  let owner: Client;
  beforeAll(async () => {
    platform = await openTestPlatform({ isolated: true });
    owner = await platform.account({ account: 'Owner' });
  });
  afterAll(() => platform.close());

  test('is 503 upstream_unavailable for reads and writes of both APIs; the process stays up, and recovers with the database', async () => {
    const { body: created } = await owner.post('/organizations', club('Before'));
    await platform.settled();
    const before = await countRows(platform.database);
    const bringBack = await stopDatabase(platform);
    try {
      const rest = [
        ['read', () => owner.get(`/organizations/${created.id}`)],
        ['list', () => platform.anonymous.get('/athletes')],
        ['write', () => owner.post('/organizations', club('Lost'), { 'idempotency-key': 'lost' })],
        ['change', () => owner.patch(`/organizations/${created.id}`, { city: 'Rom' }, { 'if-match': '*' })],
      ] as const;
      for (const [label, send] of rest) {
        const { status, body, headers } = await send();
        expect({ what: label, status, code: body.code }).toEqual({ what: label, status: 503, code: 'upstream_unavailable' });
        expect(headers.get('content-type')).toContain('application/problem+json');
        expect({ what: label, after: headers.get('retry-after') }).toEqual({ what: label, after: '1' });
        expect(JSON.stringify(body)).not.toMatch(/ECONN|postgres|pg_|select /i);
      }
      const graph = await owner.graphql('{ organizations { nodes { id } } }');
      expect(graph.body.errors[0].extensions.code).toBe('upstream_unavailable');
      const written = await owner.graphql(`mutation { activateOrganization(id: "${created.id}") { id } }`);
      expect([written.status, written.headers.get('retry-after')]).toEqual([503, '1']);
      expect((await platform.anonymous.get('/health')).status).toBe(200);
      // a balancer keeps the process, so that callers receive the problems above
      expect((await platform.anonymous.get('/ready')).status).toBe(200);
      expect((await platform.anonymous.get('/docs')).status).toBe(200);
    } finally {
      await bringBack();
    }
    await eventually(async () => {
      expect((await owner.get(`/organizations/${created.id}`)).status).toBe(200);
    });
    expect((await owner.get(`/organizations/${created.id}`)).body).toMatchObject({ version: 1, city: null });
    const after = await countRows(platform.database);
    expect(after).toEqual(before);
    // writes are rejected until the next probe of the quota store, which runs every second
    await eventually(async () => {
      const repeated = await owner.post('/organizations', club('Lost'), { 'idempotency-key': 'lost' });
      expect([repeated.status, repeated.headers.get('idempotent-replayed')]).toEqual([201, null]);
    });
    await platform.settled();
  });

  test('during many writes leaves each complete or absent, as its response says', async () => {
    const writing = repeat(60, (index) =>
      owner.post('/organizations', { ...club(`Mid ${index}`), externalIds: [{ scheme: 'MID', value: `${index}` }] }),
    );
    const bringBack = await stopDatabase(platform);
    const responses = await writing;
    await bringBack();
    await eventually(async () => void expect((await platform.anonymous.get('/organizations')).status).toBe(200));
    const rejections = [
      [503, 'upstream_unavailable'],
      [504, 'upstream_timeout'],
    ];
    for (const { status, body } of responses) if (status !== 201) expect(rejections).toContainEqual([status, body.code]);
    for (const [index, { status, body }] of responses.entries()) {
      const found = await owner.get(`/organizations?externalId=MID:${index}&mine=true`);
      if (status === 201) expect(found.body.data).toMatchObject([{ id: body.id, name: `Mid ${index}` }]);
      // with both rejections the write may be stored, when only its confirmation or a read for its response failed: then it is complete
      for (const each of found.body.data) expect(each).toMatchObject({ name: `Mid ${index}`, version: 1 });
    }
    const rows = await countRows(platform.database);
    await platform.settled();
    // one event per organization; its history has the creation and the transition to ACTIVE
    expect(rows['organizations.history']).toBe(2 * (rows['organizations.outbox'] ?? 0));
  });

  test('a platform error is refunded', async () => {
    await platform.plan('counted', { burstPerMinute: 1000, perDay: 1000, perMonth: 1000 });
    const client = await platform.account({ account: 'Refund', plan: 'counted' });
    await run(platform, 'alter table organizations.organization rename to organization_gone');
    try {
      const response = await client.get('/organizations');
      expect(response.status).toBeGreaterThanOrEqual(500);
      expect(JSON.stringify(response.body)).not.toMatch(/relation|organization_gone|select /i);
      const graph = await client.graphql('{ organizations { nodes { id } } }');
      expect(graph.body.errors[0].extensions.code).toBe('internal');
    } finally {
      await run(platform, 'alter table organizations.organization_gone rename to organization');
    }
    await eventually(async () => void expect((await client.get('/usage')).body.day.used).toBeLessThanOrEqual(1));
    expect((await client.get('/organizations')).status).toBe(200);
  });
});

describe('a write that fails in the middle', () => {
  let platform: TestPlatform;
  let owner: Client;
  beforeAll(async () => {
    platform = await openTestPlatform({ isolated: true });
    owner = await platform.account({ account: 'Owner' });
    await owner.post('/organizations', club('Exists'));
    await platform.settled();
    await run(
      platform,
      `create function public.fail() returns trigger language plpgsql as $$ begin raise exception 'no events today'; end $$;
       create trigger fail before insert on organizations.outbox for each row execute function public.fail();
       create trigger fail before insert on athletes.outbox for each row execute function public.fail()`,
    );
  });
  afterAll(() => platform.close());

  test('leaves nothing: no row, no history, no event, no idempotency key', async () => {
    const { body: list } = await owner.get('/organizations?mine=true');
    const [{ id }] = list.data;
    const before = await countRows(platform.database);
    const player = { displayName: 'Half', sex: 'FEMALE', nationalities: ['DE'], sports: [{ sport: 'FOOTBALL' }] };
    const responses = [
      await owner.post('/organizations', { ...club('Half'), createTeam: true }, { 'idempotency-key': 'half' }),
      await owner.post('/athletes', { ...player, externalIds: [{ scheme: 'TEST', value: 'half' }] }),
      await owner.patch(`/organizations/${id}`, { city: 'Rom' }, { 'if-match': '*' }),
      await owner.post(`/organizations/${id}/close`),
      await owner.post('/organizations/batch', {
        items: [{ ...club('Half'), externalIds: [{ scheme: 'TEST', value: 'half' }] }],
      }),
    ];
    for (const { status, body } of responses) {
      expect({ status, code: body.code }).toEqual({ status: 500, code: 'internal' });
      expect(JSON.stringify(body)).not.toContain('no events today');
    }
    expect(await countRows(platform.database)).toEqual(before);
    expect((await owner.get(`/organizations/${id}`)).body).toMatchObject({ version: 1, status: 'ACTIVE', city: null });
    await run(platform, 'drop trigger fail on organizations.outbox');
    expect(
      (await owner.post('/organizations', { ...club('Half'), createTeam: true }, { 'idempotency-key': 'half' })).status,
    ).toBe(201);
  });
});
