/** With a public URL, the public servers respond at the hosts of the installation only. */
import { expect, test } from '@jest/globals';
import { createLog } from '../../platform/log.ts';
import { createPublicServer } from '../../wiring/public-server/public-server.ts';

async function statusAt(host: string, publicUrl: string | null, baseDomain: string | null = null, path = '/things') {
  const log = createLog({ name: 'test', level: 'silent' });
  await using app = await createPublicServer({ log, trustedProxies: [], publicUrl, baseDomain, readiness: {} });
  app.get('/things', () => ({ made: true }));
  const response = await app.inject({ url: path, headers: { host } });
  return response.statusCode;
}

test.each([
  ['api.example.com', 200],
  ['API.example.com:8443', 200],
  ['api.example.com.', 200],
  ['evil.example', 404],
  ['api.example.com.evil.example', 404],
  ['127.0.0.1:4000', 404],
])('a public URL: the host %s is %d', async (host, status) => {
  expect(await statusAt(host, 'https://api.example.com')).toBe(status);
});

test.each([
  ['example.com', 200],
  ['api.example.com', 200],
  ['football.example.com', 200],
  ['unknown.example.com', 404],
  ['other.example', 404],
  ['notexample.com', 404],
])('a public URL and a base domain: the host %s is %d', async (host, status) => {
  expect(await statusAt(host, 'https://api.example.com', 'example.com')).toBe(status);
});

test('without a public URL every host is the main host', async () => {
  expect(await statusAt('anything.example', null)).toBe(200);
});

test('the probes respond at every host', async () => {
  expect(await statusAt('10.0.0.7:4000', 'https://api.example.com', null, '/health')).toBe(200);
  expect(await statusAt('10.0.0.7:4000', 'https://api.example.com', 'example.com', '/ready')).toBe(200);
});
