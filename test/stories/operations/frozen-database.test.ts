/** A PostgreSQL that hangs: every request is answered, nothing acknowledged is lost, and the pools recover. */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { eventually } from '../../eventually.ts';
import { openFreezableCluster, type FreezableCluster } from '../../freezable-cluster.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { repeat } from '../accounts/rates.ts';

const club = (name: string) => ({ type: 'CLUB', name, country: 'DE', sports: ['FOOTBALL'], status: 'ACTIVE' });
const unanswered = new Set(['upstream_unavailable', 'upstream_timeout']);

let cluster: FreezableCluster;
let platform: TestPlatform;
let owner: Client;
beforeAll(async () => {
  cluster = await openFreezableCluster();
  platform = await openTestPlatform({ isolated: true, cluster });
  owner = await platform.account({ account: 'Frozen' });
});
afterEach(() => cluster.thaw());
afterAll(async () => {
  await platform.close();
  await cluster.close();
});

/** The names of the account's organizations. */
async function names(): Promise<string[]> {
  const found: string[] = [];
  let cursor = '';
  do {
    const { body } = await owner.get(`/organizations?mine=true&limit=100${cursor}`);
    found.push(...body.data.map(({ name }: { name: string }) => name));
    cursor = body.page.nextCursor === null ? '' : `&cursor=${body.page.nextCursor}`;
  } while (cursor !== '');
  return found.sort();
}

test('reads and writes are answered while it hangs, and succeed afterwards', async () => {
  const write = () => owner.post('/organizations', club('Repeated'), { 'idempotency-key': 'repeated' });
  expect((await owner.get('/organizations')).status).toBe(200);
  await cluster.freeze();
  const responses = await Promise.all([
    ...Array.from({ length: 30 }, () => owner.get('/organizations?limit=30')),
    platform.anonymous.get('/athletes'),
    write(),
  ]);
  for (const { status, body } of responses) {
    expect([503, 504]).toContain(status);
    expect(unanswered).toContain(body.code);
  }
  const graph = await owner.graphql('{ organizations { nodes { id } } }');
  expect(unanswered).toContain(graph.body.errors[0].extensions.code);
  await cluster.thaw();
  await eventually(async () => {
    expect((await owner.get('/organizations')).status).toBe(200);
    expect((await write()).status).toBe(201);
  });
  expect(await names()).toEqual(['Repeated']);
});

test('a write that was acknowledged exists, and a repeated one exists once', async () => {
  const acknowledged: string[] = [];
  const unknown: string[] = [];
  const write = (name: string) => owner.post('/organizations', club(name), { 'idempotency-key': name });
  /** Writes until the database hangs. */
  async function keepWriting(writer: number): Promise<void> {
    for (let index = 0; unknown.length === 0; index += 1) {
      const name = `Mid-${writer}-${index}`;
      const { status } = await write(name);
      (status === 201 ? acknowledged : unknown).push(name);
    }
  }
  const writing = repeat(15, keepWriting);
  await eventually(() => Promise.resolve(expect(acknowledged.length).toBeGreaterThan(15)));
  await cluster.freeze();
  await writing;
  await cluster.thaw();
  await eventually(async () => expect((await owner.get('/organizations')).status).toBe(200));
  expect(await names()).toEqual(expect.arrayContaining(acknowledged));
  for (const name of unknown) await eventually(async () => expect((await write(name)).status).toBe(201));
  expect((await names()).filter((name) => name.startsWith('Mid'))).toEqual([...acknowledged, ...unknown].sort());
});
