/** Images that are uploaded in test mode are deleted with the test data. */
import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { download, png, upload } from '../images/pictures.ts';
import { club, issueTestKey } from './test-key.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await openTestPlatform();
});
afterAll(() => platform.close());

const files = async (): Promise<number> =>
  (await readdir(platform.imageFolder, { recursive: true })).filter((name) => name.endsWith('.webp')).length;

test('images of deleted test data are removed from the store, and those of the platform stay', async () => {
  const [live, tested] = [await platform.account({ account: 'Images' }), await issueTestKey(platform, 'Images')];
  const before = await files();
  const urls: string[] = [];
  for (const client of [live, tested]) {
    const { body } = await client.post('/organizations', club('With crest'));
    const uploaded = await upload(client, `/organizations/${body.id}`, await png());
    expect(uploaded.status).toBe(200);
    urls.push(uploaded.body.imageUrl);
  }
  const [ofLive = '', ofTest = ''] = urls;
  expect((await download(platform.restUrl, ofTest)).status).toBe(200);
  expect(await files()).toBe(before + 6);

  expect((await tested.delete('/test-data')).status).toBe(200);
  await platform.maintain();
  expect(await files()).toBe(before + 3);
  expect((await download(platform.restUrl, ofTest)).status).toBe(404);
  expect((await download(platform.restUrl, ofLive)).status).toBe(200);
});
