/** Crests and emblems: which files are accepted, how they are served, and what happens to replaced ones. */
import { readdir, rename, rm, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { createTalentClient } from '../../../sdk/index.ts';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { createClub, createTeam } from '../organizations/clubs.ts';
import { createSeason } from '../competitions/season-fixtures.ts';
import { download, jpeg, passHour, phonePhoto, png, upload, webp } from './pictures.ts';

let platform: TestPlatform;
let owner: Client & { readonly key: string };
let other: Client;
beforeAll(async () => {
  platform = await openTestPlatform();
  [owner, other] = await Promise.all([platform.account({ account: 'Club' }), platform.account({ account: 'Other' })]);
});
afterAll(() => platform.close());

async function clubPath(): Promise<string> {
  return `/organizations/${(await createClub(owner)).id}`;
}

const files = async (): Promise<string[]> =>
  (await readdir(platform.imageFolder, { recursive: true })).filter((name) => name.endsWith('.webp'));

describe('a crest', () => {
  test.each([
    ['PNG', png],
    ['JPEG', jpeg],
    ['WebP', webp],
  ] as const)('is accepted as %s and served in three sizes', async (_, draw) => {
    const path = await clubPath();
    const { status, body } = await upload(owner, path, await draw(2000, 1000));
    expect({ status, body }).toMatchObject({ status: 200, body: { version: 2, logoUrl: null } });
    for (const [size, width] of [
      ['', 1024],
      ['size=64', 64],
      ['size=200', 256],
      ['size=5000', 1024],
    ] as const) {
      const { status: served, headers, bytes } = await download(platform.restUrl, body.imageUrl, size);
      const { format, width: is, height } = await sharp(bytes).metadata();
      expect({ served, format, is, height }).toEqual({ served: 200, format: 'webp', is: width, height: width / 2 });
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-type': 'image/webp',
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
      });
      const again = await download(platform.restUrl, body.imageUrl, size, { 'if-none-match': headers.get('etag') ?? '' });
      expect([again.status, again.bytes.length]).toEqual([304, 0]);
    }
  });

  test('is not enlarged, is turned as the camera says, and has no metadata', async () => {
    const { body } = await upload(owner, await clubPath(), await phonePhoto(), { 'content-type': 'image/jpeg' });
    const { bytes } = await download(platform.restUrl, body.imageUrl);
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 200, height: 400 });
    expect((await sharp(bytes).metadata()).exif).toBeUndefined();
    expect(bytes.includes('Phonemaker')).toBe(false);
  });

  test('is shown for the teams of the club, in lists, and instead of logoUrl', async () => {
    const path = await clubPath();
    const id = path.slice('/organizations/'.length);
    const logoUrl = 'https://example.org/crest.svg';
    const patched = await owner.patch(path, { logoUrl }, { 'if-match': '*' });
    expect(patched.body.imageUrl).toBe(logoUrl);
    const team = await createTeam(owner, id);
    const { imageUrl } = (await upload(owner, path, await png())).body;
    const read = async () => [
      (await owner.get(path)).body.imageUrl,
      (await platform.anonymous.get(`/organizations?ids=${id}`)).body.data[0].imageUrl,
      (await owner.graphql('query ($id: ID!) { team(id: $id) { imageUrl } }', { id: team.id })).body.data.team.imageUrl,
    ];
    expect(await read()).toEqual([imageUrl, imageUrl, imageUrl]);
    expect((await owner.delete(`${path}/image`, { 'if-match': '*' })).body).toMatchObject({ imageUrl: logoUrl, logoUrl });
    expect(await read()).toEqual([logoUrl, logoUrl, logoUrl]);
  });

  test('over GraphQL is a text in base64', async () => {
    const id = (await clubPath()).slice('/organizations/'.length);
    const document =
      'mutation ($id: ID!, $image: ImageFile!) { setOrganizationImage(id: $id, image: $image, ifMatch: "*") { imageUrl } }';
    const send = (image: string) => owner.graphql(document, { id, image });
    const { body } = await send((await png()).toString('base64'));
    expect((await download(platform.restUrl, body.data.setOrganizationImage.imageUrl)).status).toBe(200);
    expect((await send('not an image!')).body.errors).toMatchObject([{ extensions: { code: 'validation_failed' } }]);
  });
});

describe('an upload is rejected', () => {
  test.each<[string, () => Promise<Buffer>, string]>([
    ['SVG', () => Promise.resolve(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')), 'image_format'],
    [
      'GIF',
      () =>
        sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
          .gif()
          .toBuffer(),
      'image_format',
    ],
    ['a truncated file', async () => (await jpeg(800, 800)).subarray(0, 2000), 'image_damaged'],
    ['a signature without an image', () => Promise.resolve(Buffer.from('89504e470d0a1a0a00000000', 'hex')), 'image_damaged'],
    ['more pixels than are decoded', () => png(9000, 9000), 'too_many_pixels'],
  ])('%s', async (_, draw, code) => {
    const path = await clubPath();
    const { status, body } = await upload(owner, path, await draw());
    expect({ status, body }).toMatchObject({ status: 422, body: { errors: [{ pointer: '', code }] } });
    expect((await owner.get(path)).body).toMatchObject({ version: 1, imageUrl: null });
  });

  test('that is too large, empty, JSON, or of another media type', async () => {
    const path = await clubPath();
    expect((await upload(owner, path, Buffer.alloc(5 * 1024 * 1024 + 1))).body).toMatchObject({
      status: 413,
      code: 'payload_too_large',
    });
    expect((await upload(owner, path, Buffer.alloc(0))).body).toMatchObject({ status: 422, errors: [{ code: 'required' }] });
    for (const type of ['application/json', 'application/pdf'])
      expect((await upload(owner, path, await png(), { 'content-type': type })).body).toMatchObject({
        status: 415,
        detail: 'Send the image as image/png, image/jpeg, image/webp.',
        accepted: ['image/png', 'image/jpeg', 'image/webp'],
      });
    const patch = await owner.send(path, {
      method: 'PATCH',
      headers: { 'content-type': 'image/png', 'if-match': '*' },
      body: new Uint8Array(await png()),
    });
    expect(patch.body).toMatchObject({ status: 415, accepted: ['application/json'] });
  });

  test('by another account, without the scope, for an unknown resource, and for an old version', async () => {
    const path = await clubPath();
    const image = await png();
    const reader = await platform.account({ account: 'Club', scopes: ['events:read'] });
    const before = await files();
    expect((await upload(other, path, image)).body).toMatchObject({ status: 403, code: 'not_owner' });
    expect((await upload(reader, path, image)).body).toMatchObject({ status: 403, code: 'insufficient_scope' });
    expect((await upload(platform.anonymous, path, image)).status).toBe(401);
    expect((await upload(owner, '/organizations/0f0b4d0e-1f4e-4e0c-8f0f-2f1b7a0d9c22', image)).status).toBe(404);
    expect((await upload(owner, path, image, { 'if-match': '"9"' })).status).toBe(412);
    expect(await files()).toEqual(before);
  });
});

test('the files of replaced and removed crests disappear, others stay', async () => {
  const path = await clubPath();
  const first = (await upload(owner, path, await png())).body.imageUrl;
  const second = (await upload(owner, path, await png(310))).body.imageUrl;
  const statuses = async () => [
    (await download(platform.restUrl, first)).status,
    (await download(platform.restUrl, second)).status,
  ];
  expect(second).not.toBe(first);
  await platform.maintain();
  // pages that were read before still show it
  expect(await statuses()).toEqual([200, 200]);
  await passHour(platform.database, 'organizations');
  await platform.maintain();
  expect(await statuses()).toEqual([404, 200]);
});

test('of two concurrent uploads for one version one is kept, and the files of the other disappear', async () => {
  const path = await clubPath();
  const before = await files();
  const images = await Promise.all([png(), png(310), png(320)]);
  const uploads = await Promise.all(images.map((image) => upload(owner, path, image, { 'if-match': '"1"' })));
  expect(uploads.map(({ status }) => status).toSorted()).toEqual([200, 412, 412]);
  await passHour(platform.database, 'organizations');
  await platform.maintain();
  const kept = (await files()).filter((name) => !before.includes(name));
  const { imageUrl } = (await owner.get(path)).body;
  expect(kept).toHaveLength(3);
  for (const name of kept) expect(name).toContain(new URL(imageUrl).pathname.slice('/images/'.length));
});

test('the TypeScript client uploads a file', async () => {
  const id = (await clubPath()).slice('/organizations/'.length);
  const client = createTalentClient({ baseUrl: platform.restUrl, apiKey: owner.key });
  const body = new Blob([new Uint8Array(await png())], { type: 'image/png' });
  const params = { path: { id }, header: { 'If-Match': '*' } };
  const { data } = await client.PUT('/organizations/{id}/image', { params, body, headers: { 'content-type': body.type } });
  expect(data.imageUrl).toMatch(/\/images\/emblem-/);
});

test('while the store fails, an upload is 503 and changes nothing, and other requests work', async () => {
  const path = await clubPath();
  await rename(platform.imageFolder, `${platform.imageFolder}-away`);
  await writeFile(platform.imageFolder, '');
  expect((await upload(owner, path, await png())).body).toMatchObject({ status: 503, code: 'upstream_unavailable' });
  expect((await owner.get(path)).body).toMatchObject({ version: 1, imageUrl: null });
  await rm(platform.imageFolder);
  await rename(`${platform.imageFolder}-away`, platform.imageFolder);
  expect((await upload(owner, path, await png())).status).toBe(200);
});

test('a competition has an emblem, which its matches and seasons show', async () => {
  const { season } = await createSeason(owner);
  const path = `/competitions/${season.competition.id}`;
  const { status, body } = await upload(owner, path, await png());
  expect({ status, body }).toMatchObject({ status: 200, body: { imageUrl: expect.stringContaining('/images/emblem-') } });
  expect((await download(platform.restUrl, body.imageUrl)).status).toBe(200);
  expect((await owner.delete(`${path}/image`, { 'if-match': '*' })).body.imageUrl).toBeNull();
});

test('unknown images and sizes are problems', async () => {
  const get = async (path: string) => (await download(platform.restUrl, `${platform.restUrl}${path}`)).status;
  expect(await get('/images/emblem-aaaaaaaaaaaaaaaaaaaaaa')).toBe(404);
  expect(await get('/images/..%2f..%2fsecrets.json')).toBe(404);
  expect(await get('/images/emblem-aaaaaaaaaaaaaaaaaaaaaa?size=huge')).toBe(400);
});
