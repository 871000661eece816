/** The folder and the system account of the embedded PostgreSQL, which does not run as root. */
import { chown, mkdir, mkdtemp, readFile, readdir, realpath, stat, symlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { hasErrorCode } from '../error-code.ts';

/** An account of the operating system. */
export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** Folder for files that the unprivileged account must read if the project is in a folder it cannot enter, such as /root. */
export const sharedFolder = '/var/lib/talent-platform';

/**
 * The account that runs PostgreSQL: null for the current user, or `postgres` or `nobody` if the current user is root.
 * @throws Error when the current user is root and the system has neither account
 */
export async function serverAccount(): Promise<Account | null> {
  if (process.getuid?.() !== 0) return null;
  const rows = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  for (const name of ['postgres', 'nobody']) {
    const row = rows.find((fields) => fields[0] === name);
    if (row !== undefined) return { name, uid: Number(row[2]), gid: Number(row[3]) };
  }
  throw new Error('PostgreSQL does not run as root. Start as another user, or create an account: useradd --system postgres');
}

/**
 * Creates the folder of the embedded PostgreSQL (0700, owned by its account) and returns its real path.
 * If the account cannot enter the parent folder (a clone in /root), the folder is created in {@link sharedFolder} and linked.
 * @throws Error with instructions when an existing folder cannot be entered or belongs to another user
 */
export async function openHome(folder: string, account: Account | null): Promise<string> {
  const path = resolve(folder);
  await mkdir(dirname(path), { recursive: true });
  const existing = await realpathOrNull(path);
  if (existing !== null && (await readdir(existing).catch(rethrowAccessError(existing))).length > 0) {
    await requireReachable(existing, account);
    return existing;
  }
  if (existing === null && account !== null && (await closedParent(path, account)) !== null) return relocate(path, account);
  const home = existing ?? path;
  if (existing === null) await mkdir(home, { mode: 0o700 }).catch(ignoreExisting);
  if (account !== null) await chown(home, account.uid, account.gid);
  await requireReachable(home, account);
  return realpath(home);
}

async function relocate(path: string, account: Account): Promise<string> {
  await mkdir(sharedFolder, { recursive: true, mode: 0o755 });
  const home = await mkdtemp(join(sharedFolder, 'postgres-'));
  await chown(home, account.uid, account.gid);
  // a concurrent process may have linked its folder first: that one is used
  await symlink(home, path).catch(ignoreExisting);
  return realpath(path);
}

async function requireReachable(home: string, account: Account | null): Promise<void> {
  if (account === null) return;
  const closed = await closedParent(home, account);
  if (closed === null) return;
  throw new Error(
    `PostgreSQL does not run as root, so it runs as ${account.name}, which cannot enter ${closed}. ` +
      `Grant access with chmod o+x ${closed}, or move ${home} to an accessible folder.`,
  );
}

/** The first parent folder that the account cannot enter; null if it can enter all of them. */
async function closedParent(path: string, account: Account): Promise<string | null> {
  const parents: string[] = [];
  for (let folder = await realpath(dirname(path)); ; folder = dirname(folder)) {
    parents.unshift(folder);
    if (folder === dirname(folder)) break;
  }
  for (const folder of parents) {
    const { mode, uid, gid } = await stat(folder);
    const enter = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
    if ((mode & enter) === 0) return folder;
  }
  return null;
}

async function realpathOrNull(path: string): Promise<string | null> {
  try {
    return await realpath(path);
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return null;
    throw error;
  }
}

function rethrowAccessError(folder: string): (error: unknown) => never {
  return (error) => {
    throw hasErrorCode(error, 'EACCES')
      ? new Error(`${folder} belongs to another user. Start as that user, or change its owner with chown -R.`)
      : error;
  };
}

function ignoreExisting(error: unknown): void {
  if (!hasErrorCode(error, 'EEXIST')) throw error;
}
