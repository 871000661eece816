/** Server-side request forgery: addresses of webhooks and images that lead into the operator's network. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { countRows } from '../rows.ts';
import { openTestPlatform, type TestPlatform } from '../test-platform.ts';
import { createClub } from '../stories/organizations/clubs.ts';
import { attack } from './attack.ts';

let platform: TestPlatform;
let key: string;
let club: string;
let before: Record<string, number>;
beforeAll(async () => {
  platform = await openTestPlatform({ allowLocalUrls: false });
  const owner = await platform.account({ account: 'Outgoing' });
  ({ key } = owner);
  club = (await createClub(owner)).id;
  await platform.settled();
  before = await countRows(platform.database);
});
afterAll(async () => {
  expect(await countRows(platform.database)).toEqual(before);
  await platform.close();
});

const rejected = [
  'http://receiver.example/',
  'https://127.0.0.1/',
  'https://127.1/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0177.0.0.1/',
  'https://0/',
  'https://0.0.0.0/',
  'https://localhost/',
  'https://LOCALHOST./',
  'https://a.localhost/',
  'https://[::1]/',
  'https://[::]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[2002:7f00:1::]/',
  'https://[fe80::1]/',
  'https://[fd00::1]/',
  'https://10.0.0.1/',
  'https://172.16.0.1/',
  'https://192.168.1.1/',
  'https://100.64.0.1/',
  'https://169.254.169.254/latest/meta-data/',
  'https://[fd00:ec2::254]/',
  'https://metadata.google.internal/',
  'https://224.0.0.1/',
  'https://255.255.255.255/',
  'https://192.0.2.1/',
  'https://198.18.0.1/',
  'https://①②⑦.⓪.⓪.①/',
  'https://127。0。0。1/',
  'https://receiver.example:22/',
  'https://receiver.example:5432/',
  'https://user:password@receiver.example/',
  'https://receiver.example@127.0.0.1/',
  'https://router:4100/',
  'https://postgres/',
  'file:///etc/passwd',
  'ftp://receiver.example/',
  'gopher://127.0.0.1:6379/_FLUSHALL',
  'data:text/plain,x',
  'javascript:alert(1)',
  'jar:https://receiver.example!/',
  '//receiver.example/',
  'https://',
  'https:///',
  'https://receiver.example\u0000.evil.example/',
  'https://receiver.example/\r\nx: y',
  `https://receiver.example/${'a'.repeat(5_000)}`,
];
test.each(rejected)('a webhook cannot call %j', async (url) => {
  await attack(platform, { path: '/api/v1/webhooks', body: { url }, headers: { 'x-api-key': key } }, 422, 'validation_failed');
});

const files: readonly (readonly [string, string | Uint8Array, string, number])[] = [
  [
    'an SVG that loads a file',
    '<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>',
    'image/svg+xml',
    415,
  ],
  ['an SVG with entities', '<!DOCTYPE svg [<!ENTITY a SYSTEM "http://169.254.169.254/">]><svg>&a;</svg>', 'image/svg+xml', 415],
  ['an SVG as PNG', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/png', 422],
  ['HTML as JPEG', '<html><script>alert(1)</script></html>', 'image/jpeg', 422],
  ['PostScript as PNG', '%!PS\n(/etc/passwd) (r) file', 'image/png', 422],
  [
    'a script of ImageMagick',
    "push graphic-context\nfill 'url(https://169.254.169.254/)'\npop graphic-context",
    'image/png',
    422,
  ],
  ['a PNG without data', Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a), 'image/png', 422],
  ['nothing', '', 'image/png', 422],
];
test.each(files)('an image cannot be %s', async (_, body, type, status) => {
  const request = { path: `/api/v1/organizations/${club}/image`, method: 'PUT', body };
  const headers = { 'x-api-key': key, 'content-type': type, 'if-match': '*' };
  await attack(platform, { ...request, headers }, status, status === 415 ? 'unsupported_media_type' : 'validation_failed');
});
