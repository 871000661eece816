/** The function with which routers store hashes again after a rotation of SECRET: what a router that was taken over could replace. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openDatabase, sql, type Database } from '../../platform/database/database.ts';
import { admitted, caller, createAdmissionPlatform, rejected, type AdmissionPlatform } from './admission-platform.ts';

let platform: AdmissionPlatform;
let router: Database;
beforeAll(async () => {
  platform = await createAdmissionPlatform();
  router = openDatabase({ url: platform.routerUrl, name: 'test-rehash', poolSize: 1 });
});
afterAll(async () => {
  await router.close();
  await platform.close();
});

interface StoredKey {
  readonly id: string;
  readonly hash: Buffer;
  readonly pepperVersion: number;
}

async function stored(publicId: string): Promise<StoredKey> {
  const [row] = await platform.owner.query<StoredKey>(
    sql`/* test.key */ select id, hash, pepper_version as "pepperVersion" from accounts.api_key where public_id = ${publicId}`,
  );
  if (!row) throw new Error('There is no such key.');
  return row;
}

/** Replaces the hash of a key with that of another key, as the role of routers. */
async function replace(publicId: string, version: number): Promise<void> {
  const { hash } = await stored(publicId);
  await router.query(
    sql`/* test.rehash */ select accounts.router_rehash_key(${publicId}, ${hash}, ${randomBytes(32)}, ${version})`,
  );
}

/** What migrations with a secret store. */
const setVersions = (current: number, previous: number | null): Promise<unknown> =>
  platform.owner.query(sql`/* test.versions */ update platform.secret_version set current = ${current}, previous = ${previous}`);

test('migrations store the version of the secret', async () => {
  expect(await platform.owner.query(sql`/* test.versions */ select current, previous from platform.secret_version`)).toEqual([
    { current: 1, previous: null },
  ]);
});

test('without a rotation a router replaces no hash', async () => {
  const { key, publicId } = await platform.issue();
  const before = await stored(publicId);
  for (const version of [1, 2, 99, 2_147_483_647]) await replace(publicId, version);
  expect(await stored(publicId)).toEqual(before);
  admitted(await (await platform.router()).admission.admit(caller(key)));
});

test('during a rotation a router replaces hashes of the previous version once, and the history has an entry', async () => {
  const { publicId } = await platform.issue();
  const before = await stored(publicId);
  await setVersions(2, 1);
  for (const version of [1, 3, 99]) await replace(publicId, version);
  expect(await stored(publicId)).toEqual(before);
  await replace(publicId, 2);
  const after = await stored(publicId);
  expect(after).toMatchObject({ pepperVersion: 2 });
  expect(after.hash).not.toEqual(before.hash);
  for (const version of [2, 3]) await replace(publicId, version);
  expect(await stored(publicId)).toEqual(after);
  expect(
    await platform.owner.query(
      sql`/* test.history */ select action, actor, changes from accounts.history where resource_id = ${before.id}`,
    ),
  ).toEqual([
    {
      action: 'rehashed',
      actor: { kind: 'SYSTEM', accountId: null, keyId: null },
      changes: { secretVersion: [1, 2] },
    },
  ]);
  await setVersions(1, null);
});

test('a key with an unknown version of the secret is invalid', async () => {
  const { key, publicId } = await platform.issue();
  await platform.owner.query(
    sql`/* test.version */ update accounts.api_key set pepper_version = 7 where public_id = ${publicId}`,
  );
  const { admission } = await platform.router();
  expect(rejected(await admission.admit(caller(key))).problem.code).toBe('api_key_invalid');
});
