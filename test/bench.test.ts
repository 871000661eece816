/** Every part of the benchmark starts, and its contenders return equal responses. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

const root = join(import.meta.dirname, '..');

test('npm run bench -- --check passes in every part', async () => {
  const run = promisify(execFile)(process.execPath, ['bench/main.ts', '--check', '--athletes', '500'], { cwd: root });
  const { stderr } = await run;
  const parts = stderr.split('\n').filter((line) => line.endsWith(': passed'));
  expect(parts.map((line) => line.split(':')[0])).toEqual([
    'requests',
    'cache',
    'gateways',
    'lists, standings, events, streams and dashboard',
    'scouting',
    'quotas',
    'request log',
    'webhooks',
  ]);
}, 900_000);
