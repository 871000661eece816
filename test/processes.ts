/** The platform as one process per role, as docker-compose runs it: the same commands and environment. */
import { spawn, type ChildProcess } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { areas } from '../schema/areas.ts';
import type { ClonedDatabase } from './database.ts';

const root = join(import.meta.dirname, '..');
const startTimeoutMs = 60_000;

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

export async function answers(url: string): Promise<void> {
  const deadline = Date.now() + startTimeoutMs;
  for (;;) {
    const ok = await fetch(url).then(
      (response) => response.ok,
      () => false,
    );
    if (ok) return;
    if (Date.now() > deadline) throw new Error(`${url} does not answer`);
    await sleep(100);
  }
}

/** Starts every role (and as many routers as asked for) on free ports, and resolves when each answers /health. */
export async function startProcesses(database: ClonedDatabase, routers = 1) {
  const names = [
    'rest',
    'worker',
    ...areas,
    'router',
    ...Array.from({ length: routers - 1 }, (_, index) => `router-${index + 2}`),
  ];
  const ports = new Map(await Promise.all(names.map(async (name) => [name, await freePort()] as const)));
  const url = (name: string): string => `http://127.0.0.1:${ports.get(name) ?? 0}`;
  const environment = {
    PATH: process.env['PATH'] ?? '',
    HOST: '127.0.0.1',
    LOG_LEVEL: 'error',
    DATABASE_URL: database.ownerUrl,
    SECRET: process.env['TEST_SECRET'] ?? '',
    TRUST_PROXY: '127.0.0.1',
    ROUTER_URL: url('router'),
    ...Object.fromEntries(areas.map((area) => [`${area.toUpperCase()}_URL`, url(area)])),
  };
  const running = new Map<string, ChildProcess>();

  async function start(name: string): Promise<void> {
    const child = spawn(process.execPath, ['main.ts', name.replace(/-\d+$/, '')], {
      cwd: root,
      env: { ...environment, PORT: String(ports.get(name) ?? 0) },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    running.set(name, child);
    await answers(`${url(name)}/health`);
  }

  async function stop(name: string, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const child = running.get(name);
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await ended;
  }

  const close = async (): Promise<void> => void (await Promise.all([...running.keys()].map((name) => stop(name))));
  try {
    await Promise.all(names.map(start));
    await answers(`${url('rest')}/ready`);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    restUrl: url('rest'),
    graphqlUrl: url('router'),
    routerUrls: names.filter((name) => name.startsWith('router')).map(url),
    processes: { stop, start, pids: new Map([...running].map(([name, child]) => [name, child.pid ?? 0])) },
    // The relay polls every 200 ms; stories wait for what they expect instead.
    settled: () => sleep(600).then(() => undefined),
    close,
  };
}
