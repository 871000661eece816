/** A new PostgreSQL cluster: UTF-8, ICU, scram-sha-256, its owner's password random. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { hasErrorCode } from '../error-code.ts';
import type { Binaries } from './binaries.ts';
import type { Account } from './home.ts';

/** A place of an embedded PostgreSQL: `folder` holds the log, the port and `cluster/` with `password` and `data`. */
export interface Home {
  readonly folder: string;
  readonly data: string;
  readonly account: Account | null;
  readonly binaries: Binaries;
}

/** The superuser of the cluster: it owns everything and migrates; the platform itself never connects as it. */
export const owner = 'talent_owner';
const abandonedMs = 600_000;

/** The cluster is built aside and renamed, so that a kill half-way or a twin leaves no half cluster. Returns false when there is one. */
export async function createCluster(home: Home, durable: boolean): Promise<boolean> {
  const cluster = join(home.folder, 'cluster');
  if (await exists(cluster)) return false;
  await removeAbandoned(home.folder);
  const aside = await mkdtemp(join(home.folder, 'new-'));
  const passwordFile = join(aside, 'password');
  await writeFile(passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600, flush: true });
  await mkdir(join(aside, 'data'), { mode: 0o700 });
  if (home.account !== null) {
    for (const path of [aside, passwordFile, join(aside, 'data')]) await chown(path, home.account.uid, home.account.gid);
  }
  await initialize(home, aside, durable);
  try {
    await rename(aside, cluster);
    return true;
  } catch (fault) {
    if (!hasErrorCode(fault, 'ENOTEMPTY', 'EEXIST', 'EPERM')) throw fault;
    await rm(aside, { recursive: true, force: true });
    return false;
  }
}

async function initialize(home: Home, aside: string, durable: boolean): Promise<void> {
  const fixed = [
    '--auth=scram-sha-256',
    `--username=${owner}`,
    '--encoding=UTF8',
    '--locale-provider=icu',
    '--icu-locale=und',
    '--locale=C',
  ];
  let fault: unknown;
  // pg_trgm and full-text search know letters by the C library's locale: plain C would know ASCII only
  for (const locale of ['C.UTF-8', 'en_US.UTF-8', 'C']) {
    const place = [`--pgdata=${join(aside, 'data')}`, `--pwfile=${join(aside, 'password')}`, `--lc-ctype=${locale}`];
    try {
      const flags = durable ? [] : ['--no-sync'];
      await promisify(execFile)(home.binaries.initdb, [...fixed, ...place, ...flags], spawnOptions(home));
      return;
    } catch (error) {
      fault = error;
    }
  }
  throw new Error(`PostgreSQL could not be initialized in ${home.folder}.`, { cause: fault });
}

/** How every program of PostgreSQL is started: as its account, with nothing of our environment. */
export function spawnOptions(home: Home): { cwd: string; env: Record<string, string>; uid?: number; gid?: number } {
  const account = home.account === null ? {} : { uid: home.account.uid, gid: home.account.gid };
  return { cwd: '/', env: { ...home.binaries.environment }, ...account };
}

/** What a kill in the middle of an earlier creation left. */
async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (name.startsWith('new-') && Date.now() - (await stat(path)).mtimeMs > abandonedMs)
      await rm(path, { recursive: true, force: true });
  }
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null;
}
