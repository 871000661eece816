/** Processes are replaced one by one under load: no request fails, and no write is lost or repeated. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { waitForSuccess } from '../../../commands/local-process.ts';

const restarted = ['rest', 'router', 'organizations'] as const;
/** The other processes know both addresses of the router and the area; rest is behind a balancer. */
const instances = Object.fromEntries(restarted.map((role) => [role, { count: 2, isListed: true }]));
const workers = 4;

let platform: TestPlatform;
let owner: Client;
beforeAll(async () => {
  platform = await openTestPlatform({ isolated: true, wiring: 'separate processes', instances });
  owner = await platform.account({ account: 'Rolling' });
}, 400_000);
afterAll(() => platform.close(), 120_000);

const club = (name: string) => ({ type: 'CLUB', name, country: 'DE', sports: ['FOOTBALL'], status: 'ACTIVE' });

interface Load {
  readonly requests: number;
  readonly failures: readonly string[];
  readonly created: readonly string[];
}

/** Reads and writes, one request at a time per worker, until the work is done. Nothing is sent again. */
async function underLoad(role: string, work: () => Promise<void>): Promise<Load> {
  const failures: string[] = [];
  const created: string[] = [];
  let requests = 0;
  let isDone = false;

  async function send(name: string, request: () => ReturnType<Client['get']>): Promise<void> {
    requests += 1;
    try {
      const { status, body } = await request();
      if (status === 201) created.push(name);
      if (status >= 300) failures.push(`${status} ${JSON.stringify(body)}`);
    } catch (error) {
      failures.push(error instanceof Error ? `${error.message} ${String(error.cause)}` : String(error));
    }
  }

  async function run(worker: number): Promise<void> {
    for (let index = 0; !isDone; index += 1) {
      const name = `${role} ${worker}-${index}`;
      await send('', () => owner.get('/organizations?limit=2'));
      await send('', () => owner.get('/athletes?limit=2'));
      await send(name, () => owner.post('/organizations', club(name)));
    }
  }
  const running = Array.from({ length: workers }, (_, worker) => run(worker));
  await work().finally(() => {
    isDone = true;
  });
  await Promise.all(running);
  return { requests, failures, created };
}

test.each(restarted)(
  'both processes of %s',
  async (role) => {
    const { processes } = platform;
    if (processes === null) throw new Error('Separate processes are required.');
    const { failures, requests, created } = await underLoad(role, async () => {
      for (const name of [role, `${role}-2`]) {
        await processes.stop(name);
        await processes.start(name);
        await waitForSuccess(`${processes.url(name)}/ready`);
      }
    });
    expect(failures).toEqual([]);
    expect(requests).toBeGreaterThan(20);
    const names: string[] = [];
    for (let path: string | null = '/organizations?limit=100'; path !== null;) {
      const { body } = await owner.get(path);
      names.push(...body.data.map(({ name }: { name: string }) => name));
      const next: string | null = body.page.nextCursor;
      path = next === null ? null : `/organizations?limit=100&cursor=${encodeURIComponent(next)}`;
    }
    // each acknowledged write exactly once
    for (const name of created) expect({ name, count: names.filter((each) => each === name).length }).toEqual({ name, count: 1 });
  },
  400_000,
);
