/** Builds the dashboard beside a platform that starts, when it is stale: the platform waits for nothing. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Closeable } from '../platform/stop-gracefully.ts';
import { builtFolder, isStale } from './dashboard-build.ts';

/** What an image or an installation without the packages for development lacks. */
function canBuild(): boolean {
  try {
    import.meta.resolve('vite');
    return existsSync(join(builtFolder, '../index.html'));
  } catch {
    return false;
  }
}

/** Starts the build in a process of its own, which ends with this one; it never stops the platform. */
export function startDashboardBuild(log: Logger): Closeable {
  const nothing = { name: 'dashboard', close: () => Promise.resolve() };
  if (!canBuild()) {
    if (!existsSync(builtFolder)) log.warn('there is no dashboard: npm run dashboard builds it where all packages are installed');
    return nothing;
  }
  if (!isStale()) return nothing;
  log.info('building the dashboard, which takes some seconds');
  const startedAt = performance.now();
  const builder = spawn(process.execPath, [join(import.meta.dirname, 'dashboard.ts'), '--if-stale'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let told = '';
  builder.stderr.setEncoding('utf8').on('data', (text: string) => (told += text));
  builder.on('error', (err) => log.warn({ err }, 'the dashboard could not be built'));
  builder.on('exit', (code, signal) => {
    if (code === 0) log.info({ durationMs: Math.round(performance.now() - startedAt) }, 'the dashboard is at /admin');
    else if (signal === null) log.warn({ told }, 'the dashboard could not be built: npm run dashboard says more');
  });
  return {
    name: 'dashboard',
    close: () => {
      builder.kill();
      return Promise.resolve();
    },
  };
}
