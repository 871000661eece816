/** The request log with separate processes: the REST process reports errors and request lines to the router. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { eventually } from '../../eventually.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';

let platform: TestPlatform;
let owner: Client;
beforeAll(async () => {
  platform = await openTestPlatform({ wiring: 'separate processes' });
  owner = await platform.account();
});
afterAll(() => platform.close());

test('errors of the REST process and of the router are logged with their places', async () => {
  const read = await owner.get('/organizations?limit=1', { 'user-agent': 'test/2.0' });
  const unknown = await owner.get('/athletes?sprot=FOOTBALL');
  const invalid = await owner.post('/organizations', { type: 'CLUB', name: '', country: 'NO', sports: ['FOOTBALL'] });
  const ids = [read, unknown, invalid].map(({ headers }) => headers.get('x-request-id'));
  await eventually(async () => {
    const logged = await Promise.all(ids.map((id) => owner.get(`/requests?requestId=${id}`)));
    expect(logged.map(({ body }) => body.data[0])).toMatchObject([
      { status: 200, errorCode: null, operation: 'GET /api/v1/organizations', userAgent: 'test/2.0' },
      { status: 400, errorCode: 'unknown_parameter', errorPointers: ['sprot'], path: '/api/v1/athletes' },
      { status: 422, errorCode: 'validation_failed', errorPointers: ['/name'], operation: 'POST /api/v1/organizations' },
    ]);
  });
});
