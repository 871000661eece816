/** A signal during the start ends the process and its embedded PostgreSQL. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { findEmbeddedPostgres, startEmbeddedPostgres } from '../../platform/embedded-postgres/embedded-postgres.ts';
import { createLog } from '../../platform/log.ts';

const root = join(import.meta.dirname, '..', '..');

/** Stops the server of a data folder; false if none was running. */
async function stopRemaining(dataDirectory: string): Promise<boolean> {
  if ((await findEmbeddedPostgres(dataDirectory)) === null) return false;
  await (await startEmbeddedPostgres({ dataDirectory, log: createLog({ name: 'test', level: 'silent' }) })).stop();
  return true;
}

test.each([
  ['while PostgreSQL starts', 'embedded PostgreSQL initialized', 'SIGTERM'],
  ['while the database is migrated', 'embedded PostgreSQL ready', 'SIGINT'],
  ['while the demo data is created', 'filling the new database', 'SIGTERM'],
] as const)(
  '%s, the process exits with 0 and PostgreSQL is stopped',
  async (_, message, signal) => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'stopped-start-'));
    await chmod(folder.path, 0o711);
    const env = {
      PATH: process.env['PATH'],
      HOST: '127.0.0.1',
      PORT: '0',
      DATA_DIRECTORY: join(folder.path, 'data'),
      SEED: '50',
    };
    const child = spawn(process.execPath, ['main.ts', 'all'], { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    let isSent = false;
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (isSent || !output.includes(message)) return;
      isSent = true;
      child.kill(signal);
    });
    const [code] = await once(child, 'exit');
    const isRunning = await stopRemaining(join(folder.path, 'data', 'postgres'));
    expect({ code, isRunning }).toEqual({ code: 0, isRunning: false });
    expect(output).not.toContain('is ready');
    expect(output).not.toContain('"level":60');
  },
  120_000,
);
