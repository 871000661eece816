/** Where the embedded PostgreSQL lives and as whom it runs: it refuses root, so root hands it to an unprivileged account. */
import { chown, mkdir, mkdtemp, readFile, readdir, realpath, stat, symlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { hasErrorCode } from '../error-code.ts';

/** An account of the operating system, as spawn and chown take it. */
export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** Root's place for what an unprivileged account must reach when the project itself lies in a closed folder such as /root. */
export const sharedFolder = '/var/lib/talent-platform';

/**
 * The account PostgreSQL runs as: null (our own) unless we are root, then `postgres` or `nobody`.
 * @throws Error when we are root and the system has neither.
 */
export async function serverAccount(): Promise<Account | null> {
  if (process.getuid?.() !== 0) return null;
  const rows = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  for (const name of ['postgres', 'nobody']) {
    const row = rows.find((fields) => fields[0] === name);
    if (row !== undefined) return { name, uid: Number(row[2]), gid: Number(row[3]) };
  }
  throw new Error('PostgreSQL does not run as root. Start as an ordinary user, or create one for it: useradd --system postgres');
}

/**
 * Makes the folder of the embedded PostgreSQL (0700, owned by its account) and returns its real path.
 * When root's account cannot reach it (a clone in /root), the folder is made under {@link sharedFolder} and linked.
 * @throws Error that says what to do when an existing folder cannot be reached or belongs to someone else.
 */
export async function openHome(folder: string, account: Account | null): Promise<string> {
  const path = resolve(folder);
  await mkdir(dirname(path), { recursive: true });
  const existing = await realpathOrNull(path);
  if (existing !== null && (await readdir(existing).catch(refused(existing))).length > 0) {
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
  // another process may have linked its folder first: that one counts
  await symlink(home, path).catch(ignoreExisting);
  return realpath(path);
}

async function requireReachable(home: string, account: Account | null): Promise<void> {
  if (account === null) return;
  const closed = await closedParent(home, account);
  if (closed === null) return;
  throw new Error(
    `PostgreSQL runs as ${account.name} (it refuses root), and ${account.name} cannot enter ${closed}. ` +
      `Allow it (chmod o+x ${closed}), or move ${home} to a folder that others may enter.`,
  );
}

/** The first folder above `path` that the account may not enter; null when the way is free. */
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
  } catch (fault) {
    if (hasErrorCode(fault, 'ENOENT')) return null;
    throw fault;
  }
}

function refused(folder: string): (fault: unknown) => never {
  return (fault) => {
    throw hasErrorCode(fault, 'EACCES')
      ? new Error(`${folder} belongs to another user: start as that user, or give it to you (chown -R).`)
      : fault;
  };
}

function ignoreExisting(fault: unknown): void {
  if (!hasErrorCode(fault, 'EEXIST')) throw fault;
}
