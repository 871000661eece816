/** deploy/haproxy.cfg in front of two rest processes and two routers: callers notice neither a killed process nor a rolling restart. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { waitForSuccess } from '../commands/local-process.ts';
import { heartbeatEveryMs } from '../router/streams/open-streams.ts';
import { createClient, type Client } from './client.ts';
import { eventually } from './eventually.ts';
import { startHaproxy, type Haproxy } from './haproxy.ts';
import { openTestPlatform, type TestPlatform } from './test-platform.ts';

const withHaproxy = process.env['TEST_HAPROXY'] === 'installed' ? describe : describe.skip;
const two = { count: 2, isListed: true };

const deployed = (path: string): string => readFileSync(join(import.meta.dirname, '..', 'deploy', path), 'utf8');

test.each([
  ['haproxy.cfg', /timeout (?:server|tunnel) (\S+)/g, 2],
  ['nginx.conf', /proxy_read_timeout (\S+);/g, 1],
  ['kubernetes/example/ingress.yaml', /proxy-read-timeout: '(\d+)'/g, 1],
])(
  '%s waits longer than an operation and two heartbeats of a stream, and not longer for a hung process',
  (path, pattern, count) => {
    const seconds = [...deployed(path).matchAll(pattern)].map(([, value]) => Number(value?.replace(/s$/, '')));
    const leastSeconds = Math.max(30, (2 * heartbeatEveryMs) / 1_000);
    expect(seconds).toHaveLength(count);
    for (const each of seconds) {
      expect(each).toBeGreaterThan(leastSeconds);
      expect(each).toBeLessThanOrEqual(35);
    }
  },
);

test('every balancer accepts the largest body of the platform', () => {
  const [, size] = /client_max_body_size (\S+);/.exec(deployed('nginx.conf')) ?? [];
  expect(size).toBe('8m');
  expect(deployed('kubernetes/example/ingress.yaml')).toContain(`nginx.ingress.kubernetes.io/proxy-body-size: ${size ?? ''}\n`);
});

/** A response; `code` is that of a problem. */
interface Sent {
  readonly status: number;
  readonly body: { readonly code?: string } | null;
}

withHaproxy('HAProxy with deploy/haproxy.cfg', () => {
  let platform: TestPlatform;
  let processes: NonNullable<TestPlatform['processes']>;
  let haproxy: Haproxy;
  let club: Client;

  beforeAll(async () => {
    platform = await openTestPlatform({
      isolated: true,
      wiring: 'separate processes',
      instances: { rest: two, router: two, organizations: two },
      // longer than two health checks of the balancer
      variables: { DRAIN_SECONDS: '4' },
    });
    if (!platform.processes) throw new Error('Separate processes are required.');
    processes = platform.processes;
    const urlsOf = (role: string): string[] => [role, `${role}-2`].map((name) => processes.url(name));
    haproxy = await startHaproxy(urlsOf('rest'), urlsOf('router'));
    const { key } = await platform.account({ account: 'Club' });
    club = createClient({ restUrl: haproxy.url, graphqlUrl: haproxy.url, key });
  });
  afterAll(async () => {
    // also after a failed start: processes that are left keep the run open
    await platform.close();
    await haproxy.close();
  });

  /** Sends requests until `act` has ended and 30 more have completed. Returns the failed ones. */
  async function failuresDuring(send: (turn: number) => Promise<Sent>, act: () => Promise<void>): Promise<string[]> {
    let isDone = false;
    let completed = 0;
    const failed: string[] = [];
    const sendAgain = async (): Promise<void> => {
      while (!isDone) {
        const { status, body } = await send(completed).catch((error: unknown) => ({ status: 0, body: { code: String(error) } }));
        completed += 1;
        if (status !== 200 && status !== 201) failed.push(`${status} ${body?.code ?? ''}`);
        // starting processes need the processor too
        await sleep(10);
      }
    };
    const senders = Array.from({ length: 4 }, sendAgain);
    try {
      await act();
      const enough = completed + 30;
      await eventually(() => Promise.resolve(expect(completed).toBeGreaterThan(enough)), 60_000);
    } finally {
      isDone = true;
      await Promise.all(senders);
    }
    return failed;
  }

  const read = (): Promise<Sent> => club.get('/organizations?limit=1');
  const query = (): Promise<Sent> => club.graphql('{ organizations(first: 1) { nodes { id } } }');
  const created: string[] = [];
  const write = async (): Promise<Sent> => {
    const name = `Club ${randomUUID()}`;
    const body = { name, type: 'CLUB', country: 'DE', sports: ['FOOTBALL'], status: 'ACTIVE' };
    const sent = await club.post('/organizations', body);
    if (sent.status === 201) created.push(name);
    return sent;
  };

  test('reads continue without a failure while a rest process is killed', async () => {
    expect(await failuresDuring(read, () => processes.stop('rest-2', 'SIGKILL'))).toEqual([]);
    await processes.start('rest-2');
  });

  test('reads, queries and writes continue without a failure while the processes of each role restart one after the other; each write exists once', async () => {
    const send = (turn: number): Promise<Sent> => [read, query, write][turn % 3]?.() ?? read();
    const restartAll = async (): Promise<void> => {
      for (const name of ['organizations', 'organizations-2', 'router', 'router-2', 'rest', 'rest-2']) {
        await processes.stop(name);
        await processes.start(name);
        // the balancer uses the process again
        await waitForSuccess(`${processes.url(name)}/ready`);
      }
    };
    expect(await failuresDuring(send, restartAll)).toEqual([]);
    const names: string[] = [];
    for (let path: string | null = '/organizations?limit=100'; path !== null;) {
      const { body } = await club.get(path);
      names.push(...body.data.map(({ name }: { name: string }) => name));
      const next: string | null = body.page.nextCursor;
      path = next === null ? null : `/organizations?limit=100&cursor=${encodeURIComponent(next)}`;
    }
    expect(names.toSorted()).toEqual(created.toSorted());
  }, 400_000);
});
