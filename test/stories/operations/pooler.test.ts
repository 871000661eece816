/** PgBouncer in transaction mode between the platform and PostgreSQL: requests, writes, events and migrations work. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { areaRole, routerRole, roleUrl } from '../../../platform/database/roles.ts';
import { openSecrets } from '../../../platform/security/secrets.ts';
import { areas } from '../../../schema/areas.ts';
import type { Client } from '../../client.ts';
import { sharedCluster } from '../../database.ts';
import { startPooler, withPooler, type Pooler } from '../../pooler.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { repeat } from '../accounts/rates.ts';

const root = join(import.meta.dirname, '../../..');

withPooler(describe)('behind PgBouncer', () => {
  let pooler: Pooler;
  let platform: TestPlatform;
  let club: Client;
  beforeAll(async () => {
    const { maintenanceUrl, secret } = sharedCluster();
    const owner = new URL(maintenanceUrl);
    const logins = [...areas.map(areaRole), routerRole].map((role): [string, string] => [
      role,
      new URL(roleUrl(maintenanceUrl, role, openSecrets(secret))).password,
    ]);
    pooler = await startPooler(maintenanceUrl, [...logins, [owner.username, owner.password]]);
    platform = await openTestPlatform({ isolated: true, cluster: { maintenanceUrl, secret, poolerPort: pooler.port } });
    club = await platform.account({ account: 'Pooled' });
  });
  afterAll(async () => {
    await platform.close();
    await pooler.close();
  });

  test('the sessions of the roles have the settings of the platform', async () => {
    const client = new pg.Client({ connectionString: platform.database.pooledUrlAs(areaRole('athletes')) });
    await client.connect();
    const { rows } = await client.query(
      `select current_setting('statement_timeout') as timeout, current_setting('search_path') as path,
         current_setting('effective_cache_size') as cache`,
    );
    await client.end();
    expect(rows).toEqual([{ timeout: '4s', path: 'athletes, platform', cache: '32MB' }]);
  });

  test('concurrent writes and reads succeed, and events reach the other areas', async () => {
    const body = (name: string) => ({ type: 'CLUB', name, country: 'DE', sports: ['FOOTBALL'], status: 'ACTIVE' });
    await repeat(30, async (index) => {
      expect((await club.post('/organizations', body(`Club ${index}`))).status).toBe(201);
      expect((await club.get('/organizations?limit=50')).status).toBe(200);
    });
    const { body: page } = await club.get('/organizations?mine=true&limit=50');
    expect(page.data).toHaveLength(30);
    await platform.settled();
    const { body: feed } = await club.get('/events?limit=50');
    expect(feed.data.length).toBeGreaterThanOrEqual(30);
    const graph = await club.graphql('{ organizations(first: 5) { nodes { id name } } athletes(first: 1) { nodes { id } } }');
    expect(graph.body.errors).toBeUndefined();
  });

  test('migrations use DATABASE_DIRECT_URL', async () => {
    const direct = new URL(platform.database.ownerUrl);
    const pooled = new URL(direct);
    pooled.port = String(pooler.port);
    Object.assign(direct, { username: '', password: '' });
    const env = {
      PATH: process.env['PATH'],
      SECRET: process.env['TEST_SECRET'],
      DATABASE_URL: pooled.href,
      DATABASE_DIRECT_URL: direct.href,
    };
    const { stdout } = await promisify(execFile)(process.execPath, ['commands/migrate.ts'], { cwd: root, env });
    expect(stdout).toBe('The database is up to date.\n');
  });
});
