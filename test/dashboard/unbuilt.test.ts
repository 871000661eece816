/** A platform without a build of the dashboard: explains how to build it, and serves a later build. */
import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { pino } from 'pino';
import { createService } from '../../platform/http/service.ts';
import { createPages } from '../../router/pages/dashboard.ts';

test('the pages explain how to build the dashboard, and serve a later build without a restart', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'pages-'));
  const built = join(folder.path, 'dist');
  const app = createService({ log: pino({ level: 'silent' }) });
  await app.register(createPages(built).add);
  const page = () => app.inject('/admin/keys');

  const before = await page();
  expect(before.statusCode).toBe(503);
  expect(before.body).toContain('npm run dashboard');
  expect((await app.inject('/admin/assets/a.js')).statusCode).toBe(404);

  await mkdir(join(built, 'assets'), { recursive: true });
  await writeFile(join(built, 'assets/a.js'), '1');
  await writeFile(join(built, 'index.html'), '<meta name="style-nonce" content="" />');
  const after = await page();
  expect(after.statusCode).toBe(200);
  const [, nonce = ''] = /content="([^"]+)"/.exec(after.body) ?? [];
  expect(after.headers['content-security-policy']).toContain(`'nonce-${nonce}'`);
  expect((await app.inject('/admin/assets/a.js')).body).toBe('1');
  await app.close();
});
