/** Separate processes with one unavailable: 503 over REST, partial data over GraphQL, and recovery. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import type { Client } from '../../client.ts';
import { eventually } from '../../eventually.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { stopDatabase } from './outages.ts';
import { repeat } from '../accounts/rates.ts';

const club = (name: string) => ({ type: 'CLUB', name, country: 'DE', sports: ['FOOTBALL'], status: 'ACTIVE' });

describe('in separate processes, an unavailable area', () => {
  let platform: TestPlatform;
  let owner: Client;
  let stop: (name: string, signal?: NodeJS.Signals) => Promise<void>;
  let start: (name: string) => Promise<void>;
  beforeAll(async () => {
    platform = await openTestPlatform({ isolated: true, wiring: 'separate processes' });
    owner = await platform.account({ account: 'Owner' });
    if (!platform.processes) throw new Error('Separate processes are required.');
    ({ stop, start } = platform.processes);
  });
  afterAll(() => platform.close());

  test('is 503 over REST and null with an error over GraphQL; other areas work, and it recovers', async () => {
    const { body: created } = await owner.post('/organizations', { ...club('Split'), createTeam: true });
    const query = `query ($id: ID!) { organization(id: $id) { name } athletes(first: 1) { nodes { id } } }`;
    expect((await owner.graphql(query, { id: created.id })).body.errors).toBeUndefined();
    await stop('athletes');
    const rest = await owner.get('/athletes');
    expect({ status: rest.status, code: rest.body.code }).toEqual({ status: 503, code: 'upstream_unavailable' });
    expect(JSON.stringify(rest.body)).not.toMatch(/ECONN|127\.0\.0\.1/);
    expect((await owner.get(`/organizations/${created.id}`)).status).toBe(200);
    const write = await owner.post('/athletes', {
      displayName: 'Nobody',
      sex: 'MALE',
      nationalities: ['DE'],
      sports: [{ sport: 'TENNIS' }],
    });
    expect({ status: write.status, code: write.body.code }).toEqual({ status: 503, code: 'upstream_unavailable' });
    const partial = await owner.graphql(
      '{ organizations { nodes { name } } me { account { name } } athletes { nodes { id } } one: athlete(id: "x") { age } }',
    );
    expect(partial.body.data).toEqual({
      organizations: { nodes: [{ name: 'Split' }] },
      me: { account: { name: 'Owner' } },
      athletes: null,
      one: null,
    });
    expect(partial.body.errors).toEqual(
      ['athletes', 'one'].map((field) =>
        expect.objectContaining({ path: [field], extensions: { code: 'upstream_unavailable' } }),
      ),
    );
    const search = await owner.get('/search?q=split');
    const names = search.body.data.map(({ type, name }: { type: string; name: string }) => `${type} ${name}`);
    expect([search.status, names, search.body.unavailable]).toEqual([200, ['ORGANIZATION Split', 'TEAM Split'], ['ATHLETE']]);
    expect(await owner.get('/search?q=split&type=ATHLETE')).toMatchObject({
      status: 503,
      body: { code: 'upstream_unavailable' },
    });
    await start('athletes');
    await eventually(async () => void expect((await owner.get('/athletes')).status).toBe(200));
    expect((await owner.graphql(query, { id: created.id })).body.errors).toBeUndefined();
  });

  test('makes the audit log fail with the name of the area until it is available again', async () => {
    const viewer = await platform.administrator('VIEWER');
    const log = '{ auditEntries { nodes { action actor { administrator { id } } } } }';
    const whole = await viewer.graphql(log);
    expect(whole.body.errors).toBeUndefined();
    expect(whole.body.data.auditEntries.nodes[0]).toEqual({ action: 'signed_in', actor: { administrator: { id: viewer.id } } });
    await stop('scouting');
    const { body } = await viewer.graphql(log);
    expect(body.data.auditEntries).toBeNull();
    expect(body.errors[0]).toMatchObject({
      message: expect.stringContaining('scouting'),
      extensions: { code: 'upstream_unavailable' },
    });
    await start('scouting');
    await eventually(async () => void expect((await viewer.graphql(log)).body).toEqual(whole.body));
  });

  /** Requests of a key in the rollups. */
  async function flushUsage(key: string): Promise<number> {
    const client = new pg.Client({ connectionString: platform.database.ownerUrl });
    await client.connect();
    const { rows } = await client.query<{ requests: number }>(
      `select coalesce(sum(requests), 0)::int as requests from accounts.usage where granularity = 'MONTH' and public_id = $1`,
      [key.slice(0, key.indexOf('.'))],
    );
    await client.end();
    return rows[0]?.requests ?? 0;
  }

  const sendRequests = (client: Client, count: number) =>
    repeat(count, (index) =>
      index % 2 === 0 ? client.get('/organizations?limit=1') : client.graphql('{ organizations(first: 1) { nodes { id } } }'),
    );

  test('without a router REST is 503 and the bridge stays up; a stopped router loses no usage, a killed one only the last interval', async () => {
    const client = await platform.account({ account: 'Metered' });
    const started = async () => {
      await start('router');
      await eventually(async () => void expect((await owner.get('/organizations')).status).toBe(200), 60_000);
    };
    await sendRequests(client, 20);
    await stop('router', 'SIGKILL');
    await started();
    const reported = await flushUsage(client.key);
    expect(reported).toBeLessThanOrEqual(20);
    await sendRequests(client, 20);
    await stop('router');
    expect(await flushUsage(client.key)).toBe(reported + 20);
    const response = await owner.get('/organizations');
    expect({ status: response.status, code: response.body.code }).toEqual({ status: 503, code: 'upstream_unavailable' });
    expect((await owner.get('/health')).status).toBe(200);
    expect((await owner.get('/ready')).status).toBe(200);
    await started();
  });

  test('without PostgreSQL every process returns 503 for requests, stays ready, and recovers', async () => {
    const pids = new Map(platform.processes?.pids);
    const readiness = async (name: string) => (await fetch(`${platform.processes?.url(name) ?? ''}/ready`)).status;
    const restore = await stopDatabase(platform);
    try {
      for (const path of ['/organizations', '/athletes', '/plans']) {
        const response = await owner.get(path);
        expect({ path, status: response.status, code: response.body.code }).toEqual({
          path,
          status: 503,
          code: 'upstream_unavailable',
        });
      }
      for (const name of pids.keys()) expect({ name, status: await readiness(name) }).toEqual({ name, status: 200 });
    } finally {
      await restore();
    }
    await eventually(async () => {
      for (const path of ['/organizations', '/athletes', '/plans', '/competitions', '/opportunities', '/scouting/prospects']) {
        expect({ path, status: (await owner.get(path)).status }).toEqual({ path, status: 200 });
      }
    });
    for (const [name, pid] of pids) {
      // these processes were restarted by earlier tests
      if (['athletes', 'router', 'scouting'].includes(name)) continue;
      expect(() => process.kill(pid, 0)).not.toThrow();
    }
    // writes resume with the next check of the counters, once per second
    await eventually(async () => {
      const { body } = await owner.post('/organizations', club('After'));
      expect((await owner.get(`/organizations/${body.id}`)).status).toBe(200);
    });
  });
});
