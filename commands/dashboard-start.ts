/** Builds a stale dashboard in the background while the platform starts. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Closeable } from '../platform/stop-gracefully.ts';
import { builtFolder, isStale } from './dashboard-build.ts';

/** Whether Vite and the sources are installed. Images and production installations have neither. */
function canBuild(): boolean {
  try {
    import.meta.resolve('vite');
    return existsSync(join(builtFolder, '../index.html'));
  } catch {
    return false;
  }
}

/** Starts the build in a child process, which ends with this process. A failed build does not stop the platform. */
export function startDashboardBuild(log: Logger): Closeable {
  const noBuild = { name: 'dashboard', close: () => Promise.resolve() };
  if (!canBuild()) {
    if (!existsSync(builtFolder)) log.warn('dashboard not built: install the development packages and run npm run dashboard');
    return noBuild;
  }
  if (!isStale()) return noBuild;
  log.info('building dashboard');
  const startedAt = performance.now();
  const builder = spawn(process.execPath, [join(import.meta.dirname, 'dashboard.ts'), '--if-stale'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errorOutput = '';
  builder.stderr.setEncoding('utf8').on('data', (text: string) => (errorOutput += text));
  builder.on('error', (err) => log.warn({ err }, 'dashboard build failed'));
  builder.on('exit', (code, signal) => {
    if (code === 0) log.info({ durationMs: Math.round(performance.now() - startedAt) }, 'dashboard available at /admin');
    else if (signal === null) log.warn({ errorOutput }, 'dashboard build failed: run npm run dashboard for details');
  });
  return {
    name: 'dashboard',
    close: () => {
      builder.kill();
      return Promise.resolve();
    },
  };
}
