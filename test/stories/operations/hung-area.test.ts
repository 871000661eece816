/** Separate processes: an area that is stopped (SIGSTOP) keeps its connections open and answers nothing. Callers of other areas do not notice. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { eventually } from '../../eventually.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { repeat } from '../accounts/rates.ts';

let platform: TestPlatform;
let client: Client;
beforeAll(async () => {
  platform = await openTestPlatform({ isolated: true, wiring: 'separate processes' });
  client = await platform.account({ account: 'Bulkhead' });
}, 400_000);
afterAll(() => platform.close(), 120_000);

const own = async (): Promise<number> => (await client.get('/athletes?limit=1')).status;
const others = async (): Promise<number[]> =>
  repeat(5, async (index) => (await client.get(index % 2 === 0 ? '/organizations?limit=1' : '/competitions?limit=1')).status);

test('requests of other areas succeed while many requests of the hung area wait, and it recovers', async () => {
  const pid = platform.processes?.pids.get('athletes') ?? 0;
  expect([await own(), ...(await others())]).toEqual([200, 200, 200, 200, 200, 200]);
  process.kill(pid, 'SIGSTOP');
  const waiting: Promise<number>[] = [];
  let isOpen = false;
  try {
    // more requests of the hung area than any limit of connections or concurrency that others could share
    for (let round = 0; !isOpen; round += 1) {
      for (let index = 0; index < 40; index += 1) waiting.push(own());
      expect(await others()).toEqual([200, 200, 200, 200, 200]);
      // the circuit opens after 3 s: its callers are rejected without waiting
      if (round > 0) isOpen = (await Promise.race([own(), others().then(() => 0)])) === 503;
    }
    expect(await others()).toEqual([200, 200, 200, 200, 200]);
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  const statuses = await Promise.all(waiting);
  // each has an error of the area, none an error of the platform
  expect(statuses.filter((status) => ![200, 503, 504].includes(status))).toEqual([]);
  await eventually(async () => expect(await own()).toBe(200), 60_000);
  expect(await others()).toEqual([200, 200, 200, 200, 200]);
}, 400_000);
