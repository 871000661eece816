/** Finds and stops the server of a PostgreSQL data folder by its postmaster.pid. */
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
 * The running server of a data folder, or null. A postmaster.pid after a crash or reboot may name a process that no longer exists or that is
 * another program; it is ignored.
 */
export async function findPostmaster(data: string): Promise<Postmaster | null> {
  const lines = await pidFile(data);
  const pid = Number(lines?.[0]);
  if (!Number.isInteger(pid) || pid <= 0 || !(await serves(pid, data))) return null;
  const port = Number(lines?.[3]);
  return { pid, port: Number.isInteger(port) && port > 0 ? port : null };
}

/**
 * Removes a postmaster.pid whose process ID belongs to another program now: PostgreSQL would not start.
 * PostgreSQL handles all other stale files itself, under its own lock.
 */
export async function removeStalePidFile(data: string): Promise<void> {
  const pid = (await pidFile(data))?.[0];
  if (pid === undefined || !isAlive(Number(pid)) || (await serves(Number(pid), data))) return;
  const path = join(data, 'postmaster.pid');
  const moved = `${path}.${randomUUID()}`;
  try {
    await rename(path, moved);
    // a concurrent process may have started a server since the check: then restore its file
    const movedPid = (await readFile(moved, 'utf8')).split('\n')[0]?.trim();
    if (movedPid !== pid) await link(moved, path);
  } catch (error) {
    if (!hasErrorCode(error, 'ENOENT', 'EEXIST')) throw error;
  } finally {
    await rm(moved, { force: true });
  }
}

/**
 * Requests a fast shutdown (SIGINT: sessions end, data is flushed) and waits for the end of the server.
 * @throws Error when it is still running after `timeoutMs`
 */
export async function stopPostmaster(data: string, pgCtl: string, timeoutMs = 60_000): Promise<void> {
  const running = await findPostmaster(data);
  if (running === null) return;
  if (process.platform === 'win32') await promisify(execFile)(pgCtl, ['stop', '-m', 'fast', '-W', '-D', data]);
  else signal(running.pid, 'SIGINT');
  const deadline = performance.now() + timeoutMs;
  // the file is removed last; an orphan process that is never reaped would be "alive" forever
  while ((await pidFile(data)) !== null && isAlive(running.pid)) {
    if (performance.now() > deadline)
      throw new Error(`PostgreSQL (process ${running.pid}) did not stop within ${timeoutMs / 1000} s.`);
    await sleep(20);
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!hasErrorCode(error, 'ESRCH')) throw error;
  }
}

async function pidFile(data: string): Promise<string[] | null> {
  try {
    return (await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n').map((line) => line.trim());
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return null;
    throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasErrorCode(error, 'EPERM');
  }
}

/** Whether the process is the server of the folder: a PostgreSQL server has its data folder on its command line. */
async function serves(pid: number, data: string): Promise<boolean> {
  if (!isAlive(pid)) return false;
  if (process.platform === 'win32') return true;
  if (process.platform === 'linux')
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0').includes(data);
  const command = await promisify(execFile)('ps', ['-o', 'command=', '-p', String(pid)]).catch(() => ({ stdout: '' }));
  return command.stdout.includes(data);
}
