/** Major versions of the API, their deprecation and sunset. */
import { expect, test } from '@jest/globals';
import { operations } from './club-api.ts';
import { openClubBridge } from './club-bridge.ts';

test('an unknown major version is 404 and lists the supported ones', async () => {
  await using platform = await openClubBridge();
  for (const url of ['/api/v2', '/api/v2/clubs', '/api/v10/clubs?x=1']) {
    expect((await platform.app.inject(url)).json()).toMatchObject({ status: 404, code: 'not_found', versions: ['v1'] });
  }
  expect((await platform.app.inject('/api/v1/nothing')).json()).not.toHaveProperty('versions');
});

test('a deprecated version sends its dates and its successor in addition to other links', async () => {
  const versions = [{ major: 1, deprecatedAt: '2026-01-01', sunsetAt: '2027-01-01' }, { major: 2 }];
  await using platform = await openClubBridge({ versions, now: () => Date.parse('2026-11-21') });
  platform.create('Ajax');
  platform.create('Boca');
  const response = await platform.app.inject('/api/v1/clubs?limit=1');
  expect(response.headers).toMatchObject({ deprecation: '@1767225600', sunset: 'Fri, 01 Jan 2027 00:00:00 GMT' });
  expect(response.headers['link']).toBe(
    '<https://api.example.com/api/v1/clubs?limit=1&cursor=1>; rel="next", </api/v2>; rel="successor-version"',
  );
  expect((await platform.app.inject('/api/v1/clubs?limit=0')).headers).toMatchObject({ deprecation: '@1767225600' });
});

test('a version is 410 after its sunset', async () => {
  const versions = [{ major: 1, sunsetAt: '2026-11-21' }, { major: 2 }];
  await using platform = await openClubBridge({ versions, now: () => Date.parse('2026-11-21') });
  const response = await platform.app.inject('/api/v1/clubs');
  expect(response.json()).toMatchObject({ status: 410, code: 'gone', versions: ['v2'] });
  expect(platform.requested.map(({ admitOnly }) => admitOnly)).toEqual([true]);
});

test('a second version beside the first one changes no byte of it', async () => {
  const second = operations.map((operation) => ({ ...operation, major: 2 }));
  const dated = [{ major: 1, deprecatedAt: '2026-01-01', sunsetAt: '2027-01-01' }, { major: 2 }];
  await using alone = await openClubBridge();
  await using beside = await openClubBridge({ operations: [...operations, ...second], versions: [{ major: 1 }, { major: 2 }] });
  await using deprecated = await openClubBridge({
    operations: [...operations, ...second],
    versions: dated,
    now: () => Date.parse('2026-11-23'),
  });
  for (const name of ['Ajax', 'Boca']) alone.create(name);
  for (const { clubs } of [beside, deprecated]) clubs.push(...alone.clubs);
  const bytesOf = async ({ app }: Pick<typeof alone, 'app'>, url: string) => {
    const { statusCode, rawPayload, headers } = await app.inject(url);
    return { statusCode, bytes: rawPayload.toString('base64'), etag: headers['etag'] };
  };
  for (const path of ['/clubs', '/clubs?limit=1', '/clubs?fields=name', '/openapi.json']) {
    const first = await bytesOf(alone, `/api/v1${path}`);
    expect([path, first.statusCode]).toEqual([path, 200]);
    expect(await bytesOf(beside, `/api/v1${path}`)).toEqual(first);
    expect(await bytesOf(deprecated, `/api/v1${path}`)).toEqual(first);
  }
  const newer = await deprecated.app.inject('/api/v2/clubs');
  expect([newer.statusCode, newer.headers['deprecation']]).toEqual([200, undefined]);
  expect(newer.json()).toEqual((await alone.app.inject('/api/v1/clubs')).json());
  const { headers } = await deprecated.app.inject('/api/v1/clubs');
  expect(headers).toMatchObject({ deprecation: '@1767225600', sunset: 'Fri, 01 Jan 2027 00:00:00 GMT' });
  expect(headers['link']).toBe('</api/v2>; rel="successor-version"');
  expect((await deprecated.app.inject('/api/v2/openapi.json')).json()).toMatchObject({
    servers: [{ url: 'https://api.example.com/api/v2' }],
  });
});
