/** Opens test platforms outside of the sandbox of test files, and shares one among all test files of a jest worker. */
import { rememberRows, type DatabaseReset } from './database-reset.ts';
import { startPlatform } from './platform-instance.ts';
import { closeAfterRun } from './shared-resources.ts';
import type { PlatformOptions, TestPlatform } from './test-platform.ts';

interface SharedPlatform {
  readonly platform: TestPlatform;
  readonly rows: DatabaseReset;
}

let shared: SharedPlatform | null = null;
let inUse = false;

async function startShared(): Promise<SharedPlatform> {
  const platform = await startPlatform();
  // otherwise each reset would restore events that the relay has not processed
  await platform.settled();
  return { platform, rows: await rememberRows(platform.database.ownerUrl) };
}

async function closeShared({ platform, rows }: SharedPlatform): Promise<void> {
  await rows.close();
  await platform.close();
}

/** Empties the buffers of the platform and restores its rows. Returns false when it cannot be used again. */
async function reset({ platform, rows }: SharedPlatform): Promise<boolean> {
  await platform.settled();
  await platform.flushUsage();
  if (!(await rows.reset())) return false;
  // the relay reads its positions again before the next file writes events
  await platform.settled();
  return true;
}

/** The worker's platform, with the rows of a new one. */
async function openShared(): Promise<TestPlatform> {
  const previous = shared;
  shared = null;
  if (previous !== null && (await reset(previous).catch(() => false))) shared = previous;
  else {
    if (previous !== null) await closeShared(previous).catch(() => undefined);
    shared = await startShared();
  }
  const { platform } = shared;
  platform.statements();
  inUse = true;
  return {
    ...platform,
    close() {
      inUse = false;
      return Promise.resolve();
    },
  };
}

/** Opens a platform, as described in test/test-platform.ts. */
export function openTestPlatform(options: PlatformOptions = {}): Promise<TestPlatform> {
  const { wiring = 'one process', ...others } = options;
  const isShareable = wiring === 'one process' && Object.keys(others).length === 0;
  return isShareable && !inUse ? openShared() : startPlatform(options);
}

closeAfterRun(async () => {
  if (shared !== null) await closeShared(shared);
});
