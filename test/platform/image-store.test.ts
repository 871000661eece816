/** The stores of images: a local folder, and a bucket of a server with the S3 API. */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import S3rver from 's3rver';
import { guardStore, openBucket, openLocalStore, type ImageStore } from '../../platform/images/image-store.ts';
import { createLog } from '../../platform/log.ts';

let folder: string;
let server: S3rver;
let bucketUrl: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'image-store-'));
  server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: join(folder, 's3'),
    configureBuckets: [{ name: 'images', configs: [] }],
  });
  const { port } = await server.run();
  bucketUrl = `http://127.0.0.1:${port}/images`;
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

const keys = { region: 'us-east-1', accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };
const stores: Readonly<Record<string, () => ImageStore>> = {
  'a local folder': () => openLocalStore(join(folder, 'images')),
  'a bucket': () => openBucket({ url: bucketUrl, ...keys }),
};
const name = 'emblem-AAAAAAAAAAAAAAAAAAAAAA-64.webp';

describe.each(Object.entries(stores))('%s', (_, open) => {
  test('returns what was written, and nothing after it was removed', async () => {
    const store = open();
    expect(await store.read(name)).toBeNull();
    const bytes = Buffer.from([0, 1, 2, 255]);
    await store.write(name, bytes);
    expect(await store.read(name)).toEqual(bytes);
    await store.write(name, Buffer.from('replaced'));
    expect(String(await store.read(name))).toBe('replaced');
    await store.remove([name, name]);
    expect(await store.read(name)).toBeNull();
  });
});

test('a local folder keeps no temporary files', async () => {
  const store = openLocalStore(join(folder, 'clean'));
  await Promise.all(Array.from({ length: 20 }, () => store.write(name, Buffer.alloc(100_000))));
  const files = await readdir(join(folder, 'clean'), { recursive: true, withFileTypes: true });
  expect(files.filter((each) => each.isFile()).map((each) => each.name)).toEqual([name]);
});

describe('a store that fails is a problem', () => {
  const log = createLog({ name: 'test', level: 'silent' });
  const unavailable = { code: 'upstream_unavailable' };

  test('with an unknown key, without the bucket, and without a server', async () => {
    const failing = [
      { url: bucketUrl, ...keys, accessKeyId: 'WRONG' },
      { url: bucketUrl.replace('images', 'absent'), ...keys },
      { url: 'http://127.0.0.1:1/images', ...keys },
    ];
    for (const options of failing)
      await expect(guardStore(openBucket(options), log).write(name, Buffer.alloc(1))).rejects.toMatchObject(unavailable);
  });

  test('within its deadline, when the server does not respond', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => silent.once('listening', resolve));
    // Cast: a server on a port has an AddressInfo
    const { port } = silent.address() as AddressInfo;
    const store = guardStore(openBucket({ url: `http://127.0.0.1:${port}/images`, ...keys, timeoutMs: 100 }), log);
    await expect(store.read(name)).rejects.toMatchObject(unavailable);
    silent.close();
  });

  test('with a file in place of the folder', async () => {
    await writeFile(join(folder, 'file'), '');
    const store = guardStore(openLocalStore(join(folder, 'file')), log);
    await expect(store.write(name, Buffer.alloc(1))).rejects.toMatchObject(unavailable);
  });
});
