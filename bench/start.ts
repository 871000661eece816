/** `npm run bench -- --start`: the time of the whole platform from its command to its first response, with an existing database. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { median } from './measure.ts';

const starts = 5;
const targetSeconds = 3;
const mainFile = join(import.meta.dirname, '..', 'main.ts');

export interface Start {
  /** From the command to the first list of athletes. */
  readonly seconds: number;
  /** User and system CPU time of the process until then, without PostgreSQL; null where the system does not report it. */
  readonly cpuSeconds: number | null;
}

/** Linux reports it in hundredths of a second (proc(5), fields 14 and 15; the name in parentheses may contain spaces). */
async function cpuSecondsOf(pid: number): Promise<number | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (stat === null) return null;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Starts the platform like `npm start`, waits until it is ready, lists athletes, and stops it. */
async function startOnce(folder: string): Promise<Start> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [mainFile], {
    env: { PATH: process.env['PATH'], DATA_DIRECTORY: folder, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  try {
    let start: Start | null = null;
    for await (const line of createInterface(child.stdout)) {
      const { address } = JSON.parse(line) as { readonly address?: string };
      if (address === undefined) continue;
      for (const path of ['/ready', '/api/v1/athletes?limit=1']) {
        const response = await fetch(address + path);
        await response.arrayBuffer();
        if (!response.ok) throw new Error(`${path} is returned ${response.status}.`);
      }
      const seconds = (performance.now() - startedAt) / 1000;
      start = { seconds, cpuSeconds: await cpuSecondsOf(child.pid ?? 0) };
      break;
    }
    if (start === null) throw new Error('The platform ended before it was ready.');
    return start;
  } finally {
    child.kill('SIGTERM');
    child.stdout.resume();
    await ended;
  }
}

/** Measures each start. The first start, which creates and seeds the database, is not counted. */
export async function measureStarts(report: (line: string) => void): Promise<Start[]> {
  const folder = await mkdtemp(join(tmpdir(), 'talent-start-'));
  // root's PostgreSQL runs under another account, which needs access to the folder
  await chmod(folder, 0o711);
  try {
    report(`The first start took ${(await startOnce(folder)).seconds.toFixed(1)} s.`);
    const taken: Start[] = [];
    for (let index = 0; index < starts; index += 1) {
      const start = await startOnce(folder);
      report(`${start.seconds.toFixed(2)} s`);
      taken.push(start);
    }
    return taken;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export function printStarts(taken: readonly Start[]): string {
  const times = taken.map(({ seconds }) => seconds);
  const seconds = median(times);
  const range = `${Math.min(...times).toFixed(2)} to ${Math.max(...times).toFixed(2)} s`;
  const judged = `target < ${targetSeconds} s, ${seconds < targetSeconds ? 'met' : 'MISSED'}`;
  const spent = taken.flatMap(({ cpuSeconds }) => cpuSeconds ?? []);
  const cpu = spent.length === 0 ? '' : ` CPU of the process: median ${median(spent).toFixed(2)} s.`;
  return `${taken.length} starts: median ${seconds.toFixed(2)} s, ${range} (${judged}).${cpu}`;
}
