/** `npm run bench -- --start`: how long the whole platform takes from its command to its first answer, its database already there. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, chmod, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { median } from './measure.ts';

const starts = 5;
const targetSeconds = 3;
const mainFile = join(import.meta.dirname, '..', 'main.ts');

/** Starts it as `npm start` does, waits until it is ready and lists athletes, and stops it. Seconds to that answer. */
async function startOnce(folder: string): Promise<number> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [mainFile], {
    env: { PATH: process.env['PATH'], DATA_DIRECTORY: folder, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  try {
    let seconds: number | null = null;
    for await (const line of createInterface(child.stdout)) {
      const { address } = JSON.parse(line) as { readonly address?: string };
      if (address === undefined) continue;
      for (const path of ['/ready', '/api/v1/athletes?limit=1']) {
        const answer = await fetch(address + path);
        await answer.arrayBuffer();
        if (!answer.ok) throw new Error(`${path} is answered ${answer.status}.`);
      }
      seconds = (performance.now() - startedAt) / 1000;
      break;
    }
    if (seconds === null) throw new Error('The platform ended before it was ready.');
    return seconds;
  } finally {
    child.kill('SIGTERM');
    child.stdout.resume();
    await ended;
  }
}

/** Seconds of each start; a first one, which makes the database and fills it, is not counted. */
export async function measureStarts(tell: (line: string) => void): Promise<number[]> {
  const folder = await mkdtemp(join(tmpdir(), 'talent-start-'));
  // PostgreSQL of root runs as another account, which must pass through
  await chmod(folder, 0o711);
  try {
    tell(`The first start took ${(await startOnce(folder)).toFixed(1)} s.`);
    const taken: number[] = [];
    for (let index = 0; index < starts; index += 1) {
      const seconds = await startOnce(folder);
      tell(`${seconds.toFixed(2)} s`);
      taken.push(seconds);
    }
    return taken;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export function printStarts(taken: readonly number[]): string {
  const seconds = median(taken);
  const range = `${Math.min(...taken).toFixed(2)} to ${Math.max(...taken).toFixed(2)} s`;
  const judged = `target < ${targetSeconds} s, ${seconds < targetSeconds ? 'met' : 'MISSED'}`;
  return `${taken.length} starts: median ${seconds.toFixed(2)} s, ${range} (${judged}).`;
}
