/** A redis-server on this machine with the settings of docker-compose.yml, in a temporary folder. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { endWithThisProcess, freePort } from './local-process.ts';

export interface RedisServer {
  readonly url: string;
  /** Kills the server, which loses its data. */
  kill(): Promise<void>;
  /** Starts the killed server again, empty, on the same port. */
  start(): Promise<void>;
  /** Suspends the server: its connections stay open, and it does not respond. */
  freeze(): void;
  thaw(): void;
  /** Kills the server and deletes its folder. */
  close(): Promise<void>;
}

const startTimeoutMs = 10_000;

async function waitForResponse(port: number): Promise<void> {
  const client = new Redis(port, { retryStrategy: () => 10, maxRetriesPerRequest: null, commandTimeout: startTimeoutMs });
  client.on('error', () => undefined);
  try {
    await client.ping();
  } finally {
    client.disconnect();
  }
}

/** Throws Error when redis-server is not installed or does not start. */
export async function startRedis(...settings: readonly string[]): Promise<RedisServer> {
  const folder = await mkdtemp(join(tmpdir(), 'redis-'));
  const port = await freePort();
  const options = { port, bind: '127.0.0.1', dir: folder, save: '', 'maxmemory-policy': 'noeviction' };
  const args = [...Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]), ...settings];
  let child: ChildProcess | null = null;

  async function start(): Promise<void> {
    // Ctrl-C in a terminal reaches the whole group: Redis ends after the processes that use it
    const started = endWithThisProcess(spawn('redis-server', args, { stdio: 'ignore', detached: true }));
    child = started;
    const missing = new Promise<never>((_, reject) => {
      started.once('error', (cause) => reject(new Error('redis-server did not start: is it installed?', { cause })));
    });
    await Promise.race([waitForResponse(port), missing]);
  }

  async function kill(): Promise<void> {
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  async function close(): Promise<void> {
    await kill();
    await rm(folder, { recursive: true, force: true });
  }

  try {
    await start();
  } catch (error) {
    await close();
    throw error;
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    start,
    kill,
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
    close,
  };
}
