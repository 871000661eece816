/** Initializes a PostgreSQL cluster: UTF-8, ICU, scram-sha-256 and a random owner password. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { hasErrorCode } from '../error-code.ts';
import type { Binaries } from './binaries.ts';
import type { Account } from './home.ts';

/** An embedded PostgreSQL installation: `folder` contains the log, the port and `cluster/` with `password` and `data`. */
export interface Home {
  readonly folder: string;
  readonly data: string;
  readonly account: Account | null;
  readonly binaries: Binaries;
}

/** The superuser of the cluster, which owns all objects and runs migrations; the platform never connects as this user. */
export const owner = 'talent_owner';
const abandonedMs = 600_000;

/** Creates the cluster in a temporary folder and renames it, so that an interruption or a concurrent process leaves no partial cluster. Returns false if it exists. */
export async function createCluster(home: Home, durable: boolean): Promise<boolean> {
  const cluster = join(home.folder, 'cluster');
  if (await exists(cluster)) return false;
  await removeAbandoned(home.folder);
  const temporary = await mkdtemp(join(home.folder, 'new-'));
  const passwordFile = join(temporary, 'password');
  await writeFile(passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600, flush: true });
  await mkdir(join(temporary, 'data'), { mode: 0o700 });
  if (home.account !== null) {
    for (const path of [temporary, passwordFile, join(temporary, 'data')]) await chown(path, home.account.uid, home.account.gid);
  }
  await initialize(home, temporary, durable);
  try {
    await rename(temporary, cluster);
    return true;
  } catch (error) {
    if (!hasErrorCode(error, 'ENOTEMPTY', 'EEXIST', 'EPERM')) throw error;
    await rm(temporary, { recursive: true, force: true });
    return false;
  }
}

async function initialize(home: Home, folder: string, durable: boolean): Promise<void> {
  const fixed = [
    '--auth=scram-sha-256',
    `--username=${owner}`,
    '--encoding=UTF8',
    '--locale-provider=icu',
    '--icu-locale=und',
    '--locale=C',
  ];
  let cause: unknown;
  // pg_trgm and full-text search classify letters by the C library's locale: plain C knows ASCII letters only
  for (const locale of ['C.UTF-8', 'en_US.UTF-8', 'C']) {
    const paths = [`--pgdata=${join(folder, 'data')}`, `--pwfile=${join(folder, 'password')}`, `--lc-ctype=${locale}`];
    try {
      const flags = durable ? [] : ['--no-sync'];
      await promisify(execFile)(home.binaries.initdb, [...fixed, ...paths, ...flags], spawnOptions(home));
      return;
    } catch (error) {
      cause = error;
    }
  }
  throw new Error(`PostgreSQL could not be initialized in ${home.folder}.`, { cause });
}

/** Spawn options of all PostgreSQL programs: the account, and none of this process's environment. */
export function spawnOptions(home: Home): { cwd: string; env: Record<string, string>; uid?: number; gid?: number } {
  const account = home.account === null ? {} : { uid: home.account.uid, gid: home.account.gid };
  return { cwd: '/', env: { ...home.binaries.environment }, ...account };
}

/** Removes temporary folders of interrupted creations. */
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
