/** CPU times from the process table of Linux. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The clock ticks per second of /proc, which Linux fixes at 100. */
const ticksPerSecond = 100;

/** The fields of /proc/<pid>/stat after the name of the process, which can contain spaces. */
function statOf(pid: string): readonly string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

/** The CPU time of a process so far, in milliseconds. */
export function processTimeMs(pid: number): number {
  const stat = statOf(String(pid));
  return ((Number(stat[11] ?? 0) + Number(stat[12] ?? 0)) * 1000) / ticksPerSecond;
}

/**
 * The CPU time of a server and of its sessions so far, in milliseconds, with those that have ended. Resolution: 10 ms per session.
 * Throws Error on other systems than Linux.
 */
export function createPostgresTime(dataDirectory: string): () => number {
  if (process.platform !== 'linux') throw new Error('The CPU time of PostgreSQL can be read on Linux only.');
  const [postmaster = ''] = readFileSync(join(dataDirectory, 'cluster', 'data', 'postmaster.pid'), 'utf8').split('\n');
  return () => {
    let ticks = 0;
    for (const pid of readdirSync('/proc')) {
      if (!/^\d+$/.test(pid)) continue;
      const stat = statOf(pid);
      // user, system; of ended children: user, system
      if (pid === postmaster) ticks += Number(stat[11]) + Number(stat[12]) + Number(stat[13]) + Number(stat[14]);
      else if (stat[1] === postmaster) ticks += Number(stat[11]) + Number(stat[12]);
    }
    return (ticks * 1000) / ticksPerSecond;
  };
}
