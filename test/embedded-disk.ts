/** A small disk for an embedded PostgreSQL, which a test can fill. */
import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SmallDisk {
  readonly folder: string;
  /** Leaves no byte free. */
  fill(): Promise<void>;
  /** Frees what `fill` took. */
  free(): Promise<void>;
  remove(): Promise<void>;
}

function canMount(): boolean {
  try {
    execFileSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', '/mnt'], { stdio: 'ignore' });
    return process.getuid?.() === 0;
  } catch {
    return false;
  }
}

/** Whether this system allows tests to mount a small disk: only root may. */
export const hasSmallDisks = process.platform === 'linux' && canMount();

/** Mounts a disk of this size in memory. */
export async function mountSmallDisk(mebibytes: number): Promise<SmallDisk> {
  const folder = await mkdtemp(join(tmpdir(), 'disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m,mode=0711`, 'tmpfs', folder]);
  const filler = join(folder, 'filler');
  return {
    folder,
    async fill() {
      await using file = await open(filler, 'a');
      const block = Buffer.alloc(16 * 1024 * 1024);
      // fails with ENOSPC after the last free page
      while (
        await file.writeFile(block).then(
          () => true,
          () => false,
        )
      );
    },
    free: () => rm(filler, { force: true }),
    async remove() {
      execFileSync('umount', [folder]);
      await rm(folder, { recursive: true });
    },
  };
}

/** A folder for an embedded PostgreSQL on the disk of the system. */
export async function createServerFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'supervised-'));
  // when root runs the tests, PostgreSQL runs as another account, which needs access to the folder
  await chmod(folder, 0o711);
  return folder;
}
