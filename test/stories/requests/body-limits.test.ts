/** Body limits: each route accepts what its schema allows, in bytes and in values, and the OpenAPI document names the limits. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ApiResponse, Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';

let platform: TestPlatform;
let owner: Client;
beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account({ account: 'Limits' });
});
afterAll(() => platform.close());

const send = (body: string, path: string): Promise<ApiResponse> =>
  owner.send(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body });

function expectProblem(response: ApiResponse, status: number, code: string): void {
  expect({ status: response.status, code: response.body.code }).toEqual({ status, code });
}

describe('a body', () => {
  test('is limited by what its schema allows, in bytes and in values', async () => {
    const report = await send(`{"text": "${'x'.repeat(70_000)}"}`, '/reports');
    expectProblem(report, 413, 'payload_too_large');
    expect(report.body).toMatchObject({ detail: expect.stringContaining('64 KiB'), maxBytes: 65_536 });
    const empty = (items: number): string => JSON.stringify({ items: Array.from({ length: items }, () => ({})) });
    const many = await send(empty(20_000), '/reports');
    expectProblem(many, 413, 'payload_too_large');
    expect(many.body).toMatchObject({ detail: expect.stringContaining('500 values'), maxValues: 500 });
    expectProblem(await send(empty(400), '/reports'), 422, 'validation_failed');
    expectProblem(await send(`${'['.repeat(50_000)}${']'.repeat(50_000)}`, '/reports'), 413, 'payload_too_large');
    const batch = await send(empty(60_000), '/organizations/batch');
    expectProblem(batch, 413, 'payload_too_large');
    expect(batch.body).toMatchObject({ maxValues: 50_000 });
  });

  test('has the limits that the OpenAPI document names', async () => {
    const { body } = await owner.get('/openapi.json');
    const limits = body.paths['/reports'].post.requestBody;
    expect(limits).toMatchObject({
      description: expect.stringContaining('64 KiB'),
      'x-body-limit': { bytes: 65_536, values: 500 },
    });
  });
});
