/** Fills the disk of a folder. The folder must be on a small file system, as `mountSmallDisk` creates it. */
import { execFile } from 'node:child_process';
import { open, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const sizeMaxBytes = 4 * 1024 ** 3;

/** Mounts a file system in memory on a folder. Only root can. Returns a function that removes it. */
export async function mountSmallDisk(folder: string, megabytes: number): Promise<() => Promise<void>> {
  await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0711`, 'tmpfs', folder]);
  return async () => void (await run('umount', ['--lazy', folder]));
}

/** Writes zeros until the disk is full. Returns a function that frees the space. Throws Error on a disk with more than 4 GB of space. */
export async function fillDisk(folder: string): Promise<() => Promise<void>> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize > sizeMaxBytes) throw new Error(`${folder} is not on a small disk`);
  const path = join(folder, 'filled');
  const file = await open(path, 'w');
  const zeros = Buffer.alloc(64 * 1024);
  try {
    for (;;) await file.write(zeros);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
  } finally {
    await file.close();
  }
  return () => rm(path);
}
