/** Two routers and two processes of an area, without a load balancer: both work, and reads do not notice when one of them is killed. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { eventually } from '../../eventually.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';

const adult = {
  displayName: 'Ada',
  sex: 'FEMALE',
  nationalities: ['DE'],
  sports: [{ sport: 'TENNIS' }],
  dateOfBirth: '1990-01-01',
};
let platform: TestPlatform;
let owner: Client;
let processes: NonNullable<TestPlatform['processes']>;
let athleteId: string;

beforeAll(async () => {
  const two = { count: 2, isListed: true };
  platform = await openTestPlatform({ isolated: true, wiring: 'separate processes', instances: { router: two, athletes: two } });
  owner = await platform.account({ account: 'Owner' });
  if (!platform.processes) throw new Error('Separate processes are required.');
  processes = platform.processes;
  const created = await owner.post('/athletes', { ...adult, status: 'ACTIVE' });
  expect(created.status).toBe(201);
  athleteId = created.body.id;
});
afterAll(() => platform.close());

/** Reads over several connections, each one different, so that none is answered from a cache, until `act` has ended. */
async function readDuring(act: () => Promise<void>): Promise<{ read: number; failed: unknown[] }> {
  let isDone = false;
  let read = 0;
  const failed: unknown[] = [];
  const readAgain = async (): Promise<void> => {
    while (!isDone) {
      const { status, body } = await owner.get(`/athletes?ids=${athleteId},${randomUUID()}`);
      if (status === 200 && body.data.length === 1) read += 1;
      else failed.push({ status, body });
    }
  };
  const readers = Array.from({ length: 6 }, readAgain);
  /** Resolves after 50 further reads. */
  const more = async (): Promise<void> => {
    const enough = read + 50;
    await eventually(() => Promise.resolve(expect(read + failed.length).toBeGreaterThan(enough)), 60_000);
  };
  try {
    await more();
    await act();
    await more();
  } finally {
    isDone = true;
    await Promise.all(readers);
  }
  return { read, failed };
}

test.each(['athletes', 'athletes-2', 'router', 'router-2'])(
  'reads continue without a failure while %s is killed and started again, one after the other',
  async (name) => {
    const { failed } = await readDuring(async () => {
      await processes.stop(name, 'SIGKILL');
    });
    expect(failed).toEqual([]);
    await processes.start(name);
  },
  240_000,
);

test('a caller reads its writes, whichever router executes them', async () => {
  for (let version = 1; version <= 20; version += 1) {
    const displayName = `Ada ${version}`;
    const updated = await owner.patch(`/athletes/${athleteId}`, { displayName }, { 'if-match': '*' });
    expect(updated.status).toBe(200);
    for (let reads = 0; reads < 4; reads += 1)
      expect((await platform.anonymous.get(`/athletes/${athleteId}`)).body.displayName).toBe(displayName);
  }
});
