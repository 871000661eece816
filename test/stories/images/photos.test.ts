/** Photos of athletes: who is given their URLs, how long a URL is valid, and what an erasure leaves. */
import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { createImageUrls, secondsLeft } from '../../../platform/images/image-urls.ts';
import { createMinor, verifiedAccount } from '../athletes/minors-fixture.ts';
import { createAdult } from '../organizations/clubs.ts';
import { download, png, upload } from './pictures.ts';

let platform: TestPlatform;
let owner: Client;
let agency: Client;
let other: Client;
let moderator: Client;
beforeAll(async () => {
  platform = await openTestPlatform();
  moderator = await platform.account({ account: 'Moderation', scopes: ['moderation:write'] });
  owner = await verifiedAccount(platform, moderator, 'Academy', { officer: true });
  agency = await verifiedAccount(platform, moderator, 'Agency', { officer: true, scopes: ['minors:read'] });
  other = await platform.account({ account: 'Other' });
});
afterAll(() => platform.close());

const photosOf = async (imageUrl: string): Promise<string[]> => {
  const id = new URL(imageUrl).pathname.slice('/images/'.length);
  return (await readdir(platform.imageFolder, { recursive: true })).filter((name) => name.includes(id));
};

/** The image of a URL, without its signature, which changes with time. */
const imageOf = (url: string | null | undefined) => url && new URL(url).pathname;

/** The URL that each client reads, by id and in the list. */
async function urlFor(client: Client, id: string): Promise<string | null | undefined> {
  const { status, body } = await client.get(`/athletes/${id}`);
  const listed = (await client.get(`/athletes?ids=${id}`)).body.data[0]?.imageUrl;
  if (status === 200 && listed !== undefined) expect(imageOf(listed)).toBe(imageOf(body.imageUrl));
  return status === 200 ? body.imageUrl : undefined;
}

test('everybody reads the photo of a public adult by a signed URL', async () => {
  const { id } = await createAdult(owner);
  const { status, body } = await upload(owner, `/athletes/${id}`, await png());
  expect({ status, body }).toMatchObject({
    status: 200,
    body: { imageUrl: expect.stringMatching(/\/images\/photo-.*signature=/) },
  });
  for (const client of [owner, other, platform.anonymous]) expect(imageOf(await urlFor(client, id))).toBe(imageOf(body.imageUrl));
  const { status: served, headers } = await download(platform.restUrl, body.imageUrl, 'size=64');
  expect(served).toBe(200);
  expect(headers.get('cache-control')).toMatch(/^private, max-age=\d+$/);
  const url = new URL(body.imageUrl);
  for (const forged of [url.pathname, `${url.pathname}?expires=9999999999&signature=${url.searchParams.get('signature')}`])
    expect((await download(platform.restUrl, `${url.origin}${forged}`)).status).toBe(404);
  expect((await upload(other, `/athletes/${id}`, await png())).body).toMatchObject({ code: 'not_owner' });
});

test('a minor’s photo needs consent to MEDIA and a reader of minors; private athletes show none', async () => {
  const [withMedia, without] = [await createMinor(owner, ['PROFILE', 'MEDIA']), await createMinor(owner, ['PROFILE'])];
  const hidden = (await createAdult(owner, { visibility: 'PRIVATE' })).id;
  for (const id of [withMedia, without, hidden]) expect((await upload(owner, `/athletes/${id}`, await png())).status).toBe(200);
  expect(await urlFor(agency, withMedia)).toEqual(expect.any(String));
  expect(await urlFor(agency, without)).toBeNull();
  for (const client of [other, platform.anonymous]) {
    expect([await urlFor(client, withMedia), await urlFor(client, without)]).toEqual([null, null]);
    expect(await urlFor(client, hidden)).toBeUndefined();
  }
  for (const id of [withMedia, without, hidden]) expect(await urlFor(owner, id)).toEqual(expect.any(String));
});

test('a URL is valid for 10 to 20 minutes, and the same for 10 minutes', () => {
  const key = Buffer.alloc(32, 7);
  const id = `photo-${'a'.repeat(22)}`;
  const start = 1_800_000_000_000 - (1_800_000_000_000 % 600_000);
  const at = (ms: number) => createImageUrls({ base: 'https://api.example', key: () => key, now: () => start + ms })(id);
  const minute = 60_000;
  expect(at(9 * minute)).toBe(at(0));
  expect(at(10 * minute)).not.toBe(at(0));
  const { searchParams } = new URL(at(0));
  const left = (ms: number, of = key, name = id) =>
    secondsLeft(of, name, searchParams.get('expires') ?? '', searchParams.get('signature') ?? '', start + ms);
  expect([left(0), left(19 * minute), left(20 * minute)]).toEqual([1200, 60, 0]);
  expect([left(0, Buffer.alloc(32, 8)), left(0, key, `photo-${'b'.repeat(22)}`)]).toEqual([0, 0]);
});

test('erasure, merge and removal delete the files at once', async () => {
  const erase = async (id: string) => owner.post(`/athletes/${id}/erase`);
  const remove = async (id: string) => owner.delete(`/athletes/${id}/image`, { 'if-match': '*' });
  const merge = async (id: string) => moderator.post(`/athletes/${id}/merge`, { intoId: (await createAdult(owner)).id });
  for (const act of [erase, remove, merge]) {
    const { id } = await createAdult(owner);
    const { imageUrl } = (await upload(owner, `/athletes/${id}`, await png())).body;
    expect(await photosOf(imageUrl)).toHaveLength(3);
    expect((await act(id)).status).toBe(200);
    await platform.settled();
    await platform.maintain();
    expect(await photosOf(imageUrl)).toEqual([]);
    expect((await download(platform.restUrl, imageUrl)).status).toBe(404);
  }
  const { id } = await createAdult(owner);
  await erase(id);
  expect((await upload(owner, `/athletes/${id}`, await png())).body).toMatchObject({ status: 410, code: 'gone' });
});
