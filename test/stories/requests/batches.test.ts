/** Concurrent batches: two that lock the same rows both succeed, and of a batch with a repeated resource the last state counts. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { bornFor } from '../athletes/people.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await openTestPlatform();
});
afterAll(() => platform.close());

describe('of two accounts', () => {
  const count = 120;

  /** Own ids ascend; registry ids descend in one of the two, so that each waits for a lock of the other. */
  const items = (account: string, down: boolean) =>
    Array.from({ length: count }, (_, index) => ({
      type: 'CLUB',
      name: `${account} ${index}`,
      country: 'DE',
      sports: ['FOOTBALL'],
      status: 'ACTIVE',
      externalIds: [
        { scheme: 'OWN', value: String(index).padStart(4, '0') },
        { scheme: 'WIKIDATA', value: `Q${down ? count - index : index + 1}` },
      ],
    }));

  test('two batches over the same registry ids in opposite orders both return 200, and each id belongs to one organization', async () => {
    const [one, other] = await Promise.all([platform.account({ account: 'One' }), platform.account({ account: 'Other' })]);
    const responses = await Promise.all([
      one.post('/organizations/batch', { items: items('One', false) }),
      other.post('/organizations/batch', { items: items('Other', true) }),
    ]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    const created = responses.map(({ body }) => body.summary.created as number);
    expect((created[0] ?? 0) + (created[1] ?? 0)).toBe(count);
  });
});

describe('of one resource', () => {
  let owner: Client;
  let database: pg.Client;

  beforeAll(async () => {
    owner = await platform.account({ account: 'Owner' });
    database = new pg.Client({ connectionString: platform.database.ownerUrl });
    await database.connect();
  });
  afterAll(async () => {
    await database.end();
  });

  let count = 0;
  /** An athlete to be written several times, with the visibility of each write. */
  function athleteWrittenTwice() {
    const value = `S${(count += 1)}`;
    const since = new Date(Date.now() - 1000).toISOString();
    const item = (visibility: string) => ({
      displayName: 'Same',
      sex: 'FEMALE',
      nationalities: ['NG'],
      sports: [{ sport: 'FOOTBALL' }],
      dateOfBirth: bornFor(25, 9),
      status: 'ACTIVE',
      externalIds: [{ scheme: 'OWN', value }],
      visibility,
    });
    return {
      async write(...visibilities: string[]): Promise<string> {
        const { status, body } = await owner.post('/athletes/batch', { items: visibilities.map(item) });
        expect({ status, body }).toMatchObject({ status: 200, body: { summary: { failed: 0 } } });
        return body.data[0].id;
      },
      /** The change that a synchronizing partner without a key receives about the athlete. */
      async reported(id: string): Promise<string[]> {
        await platform.settled();
        const { body } = await platform.anonymous.get(`/athletes?updatedSince=${since}&limit=100`);
        const has = (rows: { id: string }[]): boolean => rows.some((row) => row.id === id);
        return [...(has(body.data) ? ['visible'] : []), ...(has(body.tombstones) ? ['removed'] : [])];
      },
    };
  }

  test.each([
    { was: 'PUBLIC', becomes: ['PRIVATE', 'PUBLIC', 'PRIVATE'], reported: ['removed'] },
    { was: 'PUBLIC', becomes: ['PRIVATE', 'PUBLIC'], reported: ['visible'] },
    { was: 'PUBLIC', becomes: ['PRIVATE', 'PUBLIC', 'PRIVATE', 'PUBLIC'], reported: ['visible'] },
    { was: 'PRIVATE', becomes: ['PUBLIC', 'PRIVATE', 'PUBLIC'], reported: ['visible'] },
    { was: 'PRIVATE', becomes: ['PUBLIC', 'PRIVATE'], reported: [] },
  ])('an athlete that was $was and becomes $becomes is reported as $reported', async ({ was, becomes, reported }) => {
    const { write, ...same } = athleteWrittenTwice();
    const id = await write(was);
    expect(await write(...becomes)).toBe(id);
    expect(await same.reported(id)).toEqual(reported);
  });

  test('a hidden athlete stays reported as removed by a batch that publishes and hides it', async () => {
    const { write, reported } = athleteWrittenTwice();
    const id = await write('PUBLIC');
    await write('PRIVATE');
    expect(await reported(id)).toEqual(['removed']);
    await write('PUBLIC', 'PRIVATE');
    expect(await reported(id)).toEqual(['removed']);
  });

  test('history and events of one resource are in the order of its versions', async () => {
    const { write } = athleteWrittenTwice();
    const id = await write('PUBLIC', 'PRIVATE', 'PUBLIC', 'PRIVATE');
    await platform.settled();
    const versions = async (table: string, order: string): Promise<number[]> => {
      const { rows } = await database.query<{ version: number }>(
        `select version from athletes.${table} where resource_id = $1 order by ${order}`,
        [id],
      );
      return rows.map(({ version }) => version);
    };
    expect(await versions('history', 'id')).toEqual([1, 1, 2, 3, 4]);
    expect(await versions('outbox', 'position')).toEqual([1, 2, 3, 4]);
  });
});
