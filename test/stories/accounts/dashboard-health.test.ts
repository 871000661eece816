/** The health of the platform's components: an unavailable one is reported within two seconds without affecting the others. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';

interface Item {
  readonly name: string;
  readonly kind: string;
  readonly status: string;
  readonly detail: string | null;
  readonly durationMs: number;
}

let platform: TestPlatform;
beforeAll(async () => {
  platform = await openTestPlatform();
});
afterAll(() => platform.close());

async function health(): Promise<readonly Item[]> {
  const viewer = await platform.administrator('VIEWER');
  const { data, errors } = await viewer.run('{ health { name kind status detail durationMs } }');
  expect(errors).toEqual([]);
  return data.health;
}

const statusOf = (items: readonly Item[], status: string): string[] =>
  items.filter((item) => item.status === status).map(({ name }) => name);

test('all components are up; an unresponsive area is down while the others stay up', async () => {
  const names = ['accounts', 'athletes', 'competitions', 'opportunities', 'organizations', 'scouting'];
  const all = [...names, 'database', 'counters', 'relay'];
  const up = await health();
  expect(up.map(({ name }) => name)).toEqual(all);
  expect(statusOf(up, 'DOWN')).toEqual([]);
  expect(up.find(({ kind }) => kind === 'DATABASE')?.detail).toMatch(/^PostgreSQL \d+/);

  const blocker = new pg.Client({ connectionString: platform.database.ownerUrl });
  await blocker.connect();
  await blocker.query('begin; lock table opportunities.opportunity in access exclusive mode');
  const whileBlocked = await health().finally(() => blocker.end());
  expect(statusOf(whileBlocked, 'DOWN')).toEqual(['opportunities']);
  expect(whileBlocked.find(({ status }) => status === 'DOWN')?.detail).toBe('No response within 2 s');
});
