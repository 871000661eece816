/** Finds, and ends, the server of a PostgreSQL data folder through its postmaster.pid. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { hasErrorCode } from '../error-code.ts';

/** A running server; `port` is null until it listens. */
export interface Postmaster {
  readonly pid: number;
  readonly port: number | null;
}

/**
 * The running server of a data folder, or null. A postmaster.pid left by a crash or a reboot names a process that is gone
 * or by now another program, and counts as none.
 */
export async function findPostmaster(data: string): Promise<Postmaster | null> {
  const lines = await pidFile(data);
  const pid = Number(lines?.[0]);
  if (!Number.isInteger(pid) || pid <= 0 || !(await serves(pid, data))) return null;
  const port = Number(lines?.[3]);
  return { pid, port: Number.isInteger(port) && port > 0 ? port : null };
}

/**
 * Removes a postmaster.pid whose process id now belongs to another program: PostgreSQL would refuse to start over it.
 * Every other stale file PostgreSQL judges itself, under its own lock.
 */
export async function removeStalePidFile(data: string): Promise<void> {
  const pid = (await pidFile(data))?.[0];
  if (pid === undefined || !isAlive(Number(pid)) || (await serves(Number(pid), data))) return;
  const path = join(data, 'postmaster.pid');
  const aside = `${path}.${randomUUID()}`;
  try {
    await rename(path, aside);
    // a twin may have started a server since we looked: then this is its file, and goes back
    const moved = (await readFile(aside, 'utf8')).split('\n')[0]?.trim();
    if (moved !== pid) await link(aside, path);
  } catch (fault) {
    if (!hasErrorCode(fault, 'ENOENT', 'EEXIST')) throw fault;
  } finally {
    await rm(aside, { force: true });
  }
}

/**
 * Asks the server for a fast shutdown (SIGINT: sessions end, data is flushed) and waits until it is gone.
 * @throws Error when it still runs after `timeoutMs`.
 */
export async function stopPostmaster(data: string, pgCtl: string, timeoutMs = 60_000): Promise<void> {
  const running = await findPostmaster(data);
  if (running === null) return;
  if (process.platform === 'win32') await promisify(execFile)(pgCtl, ['stop', '-m', 'fast', '-W', '-D', data]);
  else signal(running.pid, 'SIGINT');
  const deadline = performance.now() + timeoutMs;
  // the file goes last; an orphan that nobody reaps would be "alive" for ever
  while ((await pidFile(data)) !== null && isAlive(running.pid)) {
    if (performance.now() > deadline)
      throw new Error(`PostgreSQL (process ${running.pid}) did not stop in ${timeoutMs / 1000} s.`);
    await sleep(20);
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (fault) {
    if (!hasErrorCode(fault, 'ESRCH')) throw fault;
  }
}

async function pidFile(data: string): Promise<string[] | null> {
  try {
    return (await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n').map((line) => line.trim());
  } catch (fault) {
    if (hasErrorCode(fault, 'ENOENT', 'ENOTDIR')) return null;
    throw fault;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (fault) {
    return hasErrorCode(fault, 'EPERM');
  }
}

/** A server names its data folder on its command line, as no other program with a reused process id would. */
async function serves(pid: number, data: string): Promise<boolean> {
  if (!isAlive(pid)) return false;
  if (process.platform === 'win32') return true;
  if (process.platform === 'linux')
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0').includes(data);
  const command = await promisify(execFile)('ps', ['-o', 'command=', '-p', String(pid)]).catch(() => ({ stdout: '' }));
  return command.stdout.includes(data);
}
