/** A redis-server on this machine with the settings of docker-compose.yml, in a temporary folder. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './local-process.ts';

const attemptsMax = 100;

async function responds(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** Throws Error when redis-server is not installed or does not start. `close` deletes its data. */
export async function startLocalRedis(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'cluster-redis-'));
  const port = await freePort();
  const settings = [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--dir',
    folder,
    '--save',
    '',
    '--maxmemory-policy',
    'noeviction',
  ];
  const child = spawn('redis-server', settings, { stdio: 'ignore', detached: true });
  const failed = new Promise<never>((_, reject) => {
    child.once('error', (cause) => reject(new Error('redis-server did not start. Install it, or omit --redis.', { cause })));
  });
  failed.catch(() => undefined);
  async function close(): Promise<void> {
    if (child.exitCode === null && child.pid !== undefined) {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    }
    await rm(folder, { recursive: true, force: true });
  }
  async function started(): Promise<void> {
    for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
      if (await responds(port)) return;
      await sleep(100);
    }
    throw new Error('redis-server did not start.');
  }
  try {
    await Promise.race([started(), failed]);
  } catch (error) {
    await close();
    throw error;
  }
  return { url: `redis://127.0.0.1:${port}`, close };
}
