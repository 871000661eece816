/** `npm run secrets` writes .env so that Node.js reads the same values again. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv, promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

const root = join(import.meta.dirname, '../..');
const password = 'a password with $$ # "quotes" and & signs, 32 characters';

let file: string;
beforeAll(async () => {
  file = join(await mkdtemp(join(tmpdir(), 'secrets-')), '.env');
});
afterAll(() => rm(join(file, '..'), { recursive: true }));

const run = (...args: string[]) =>
  promisify(execFile)(process.execPath, ['commands/secrets.ts', ...args, '--file', file], { cwd: root });

const read = async () => parseEnv(await readFile(file, 'utf8'));

test('a secret that the operator chose is the same after each step', async () => {
  await writeFile(file, `# chosen\nSECRET='${password}'\nPORT=4000\n`);
  await run();
  const first = await read();
  expect([first['SECRET'], first['PORT']]).toEqual([password, '4000']);
  expect(await readFile(file, 'utf8')).toMatch(/^# chosen\nSECRET='/);
  expect(first['ROUTER_KEYS']).toBeTruthy();
  await run();
  expect(await read()).toEqual(first);

  await run('rotate');
  const rotated = await read();
  expect(rotated['SECRET']).toMatch(/^v2\./);
  expect(rotated['SECRET']?.endsWith(`,${password}`)).toBe(true);
  expect(rotated['DATABASE_PASSWORD']).toBe(first['DATABASE_PASSWORD']);
  await run('finish');
  expect((await read())['SECRET']).toBe(rotated['SECRET']?.slice(0, -password.length - 1));
});

test('a value that .env cannot express changes nothing', async () => {
  const text = `SECRET="it's a secret with a single quote, long enough"\n`;
  await writeFile(file, text);
  await expect(run('rotate')).rejects.toThrow('Nothing was written');
  expect(await readFile(file, 'utf8')).toBe(text);
});
