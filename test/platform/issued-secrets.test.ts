/** Secrets that clients send where they do not belong are in no line of the log of a process. */
import { expect, test } from '@jest/globals';
import { createService } from '../../platform/http/service.ts';
import { createLog } from '../../platform/log.ts';
import { generateApiKey } from '../../platform/security/api-key.ts';

test('the log has no API key and no webhook secret of a path', async () => {
  const lines: string[] = [];
  const log = createLog({ name: 'test', level: 'info', destination: { write: (line: string) => void lines.push(line) } });
  await using app = createService({ log });
  const { key } = generateApiKey();
  for (const path of [`/things/${key}`, `/things/${key.replace('.', '%2E')}/more`, '/things/whsec_c2VjcmV0+c2Vj/cmV0'])
    await app.inject(path);
  const paths = lines.map((line) => (JSON.parse(line) as { path?: string }).path).filter((path) => path !== undefined);
  expect(paths).toEqual(['/things/*', '/things/*/more', '/things/*']);
  const given = await app.inject({ url: '/things', headers: { 'x-request-id': key } });
  expect(given.headers['x-request-id']).not.toContain('sp_live_');
});
