/** Concurrent changes of visibility: scores of an athlete during hiding, memberships, and matches of merged athletes. */
import { createGraphCaller } from '../../../schema/entry-point.ts';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { openDatabase } from '../../../platform/database/database.ts';
import { areaRole } from '../../../platform/database/roles.ts';
import { createWriter } from '../../../platform/writes/write.ts';
import { applyRemovedAthletes } from '../../../subgraphs/organizations/projections/removed-athletes.ts';
import type { Client } from '../../client.ts';
import { eventually } from '../../eventually.ts';
import { blockProjection } from '../../relay.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { createAdult, createClub, createMember, idsOf } from '../organizations/clubs.ts';
import { holdMeet } from '../competitions/meets.ts';
import { bornFor, createAthlete } from './people.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await openTestPlatform();
});
afterAll(() => platform.close());

describe('a read before the projection of scouting', () => {
  let owner: Client;
  let moderator: Client;
  beforeAll(async () => {
    owner = await platform.account({ account: 'Agency' });
    moderator = await platform.account({ account: 'Moderation', scopes: ['moderation:write'] });
  });

  const adult = (more: object = {}) =>
    createAthlete(owner, { dateOfBirth: bornFor(20, 100), nationalities: ['GH'], residence: null, status: 'ACTIVE', ...more });

  /** What lists and single reads of prospects return to a client, with and without the athlete selected. */
  async function scores(client: Client, id: string): Promise<unknown> {
    const rest = await client.get('/scouting/prospects?limit=100');
    const one = await client.get(`/scouting/prospects/${id}`);
    const { body } = await client.graphql(
      `query ($id: ID!) {
      prospects(first: 100) { nodes { id talentScore } edges { cursor node { id } } }
      prospect(athleteId: $id) { talentScore }
    }`,
      { id },
    );
    const { prospects, prospect } = body.data;
    return {
      rest: [rest.body.data.length, one.status],
      nodes: prospects.nodes.length,
      edges: prospects.edges.length,
      one: prospect === null,
    };
  }

  test('does not return the score of a recently hidden athlete', async () => {
    const hidden = [
      ['deactivated', (id: string) => owner.post(`/athletes/${id}/deactivate`)],
      ['private', (id: string) => owner.patch(`/athletes/${id}`, { visibility: 'PRIVATE' }, { 'if-match': '*' })],
      ['a minor', (id: string) => owner.patch(`/athletes/${id}`, { dateOfBirth: bornFor(16, 100) }, { 'if-match': '*' })],
      ['suspended', (id: string) => moderator.post(`/athletes/${id}/suspend`, { reason: 'Reported' })],
    ] as const;
    await adult({ displayName: 'Who stays' });
    for (const [why, hide] of hidden) {
      const { id } = await adult();
      await platform.settled();
      expect(await scores(platform.anonymous, id)).toEqual({ rest: [2, 200], nodes: 2, edges: 2, one: false });
      const blocked = await blockProjection(platform.database, 'scouting', 'athletes');
      try {
        expect((await hide(id)).status).toBe(200);
        const hiddenEverywhere = { rest: [1, 404], nodes: 1, edges: 1, one: true };
        expect({ why, scores: await scores(platform.anonymous, id) }).toEqual({ why, scores: hiddenEverywhere });
        expect({ why, scores: await scores(owner, id) }).toEqual({ why, scores: hiddenEverywhere });
      } finally {
        await blocked.release();
      }
      await platform.settled();
    }
  });

  test('a page that omits an athlete still links to the next page', async () => {
    const people = [];
    for (let index = 0; index < 3; index += 1) people.push(await adult({ sports: [{ sport: 'TENNIS', level: 'PROFESSIONAL' }] }));
    await platform.settled();
    const first = await platform.anonymous.get('/scouting/prospects?sport=TENNIS&limit=1');
    const blocked = await blockProjection(platform.database, 'scouting', 'athletes');
    try {
      await owner.post(`/athletes/${first.body.data[0].athlete.id}/deactivate`);
      const { body } = await platform.anonymous.get('/scouting/prospects?sport=TENNIS&limit=1');
      expect(body).toMatchObject({ data: [], page: { hasMore: true } });
      const next = await platform.anonymous.get(`/scouting/prospects?sport=TENNIS&limit=2&cursor=${body.page.nextCursor}`);
      expect(next.body.data).toHaveLength(2);
    } finally {
      await blocked.release();
    }
  });
});

describe('concurrent writes', () => {
  let owner: Client;
  let moderator: Client;
  let lock: pg.Client;

  beforeAll(async () => {
    owner = await platform.account({ account: 'Owner' });
    moderator = await platform.account({ account: 'Moderator', scopes: ['moderation:write'] });
    lock = new pg.Client({ connectionString: platform.database.ownerUrl });
    await lock.connect();
  });
  afterAll(async () => {
    await lock.end();
  });

  let clubId: string;
  let athleteId: string;
  let memberId: string;
  let since: string;

  const see = async (visibility: string): Promise<void> => {
    expect((await owner.patch(`/athletes/${athleteId}`, { visibility }, { 'if-match': '*' })).status).toBe(200);
  };

  /** What a partner reads of the membership by id and by synchronization. */
  async function readMembership(): Promise<{ status: number; isListed: boolean; isTombstone: boolean }> {
    const { status } = await platform.anonymous.get(`/organizations/memberships/${memberId}`);
    const { body } = await platform.anonymous.get(`/organizations/memberships?updatedSince=${since}&limit=100`);
    const has = (rows: { id: string }[]): boolean => rows.some(({ id }) => id === memberId);
    return { status, isListed: has(body.data), isTombstone: has(body.tombstones) };
  }

  /** The statements that wait for a lock. */
  async function waits(): Promise<string[]> {
    await lock.query('select pg_stat_clear_snapshot()');
    const { rows } = await lock.query<{ name: string }>(`select split_part(query, ' ', 3) as name from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`);
    return rows.map(({ name }) => name);
  }

  /** Reinstates the club and blocks the transaction before its commit; `meanwhile` runs then. */
  async function reinstateDuring(meanwhile: () => Promise<void>): Promise<void> {
    await lock.query('begin');
    await lock.query('select from organizations.tombstone where resource_id = $1 for update', [clubId]);
    const reinstated = moderator.post(`/organizations/${clubId}/reinstate`);
    await eventually(async () => expect(await waits()).toContain('write.flush'));
    await meanwhile();
    // until the projection has received the event, and either waits or is done
    await eventually(async () => {
      const { rows } = await lock.query<{
        done: boolean;
      }>(`select (select position from organizations.inbox where source = 'athletes') =
      (select max(coalesce(position, 9e9)) from athletes.outbox) as done`);
      expect(rows[0]?.done === true || (await waits()).includes('organizations.lockOfAthletes')).toBe(true);
    });
    await lock.query('commit');
    expect((await reinstated).status).toBe(200);
    await platform.settled();
  }

  beforeEach(async () => {
    clubId = (await createClub(owner)).id;
    athleteId = (await createAdult(owner)).id;
    memberId = (await createMember(owner, clubId, athleteId)).id;
    await platform.settled();
  });

  test('a membership that both transactions publish is public', async () => {
    await see('PRIVATE');
    await platform.settled();
    await moderator.post(`/organizations/${clubId}/suspend`, { reason: 'Reported' });
    since = new Date().toISOString();
    await reinstateDuring(() => see('PUBLIC'));
    expect(await readMembership()).toEqual({ status: 200, isListed: true, isTombstone: false });
  });

  test('a membership that one transaction publishes and the other hides is hidden, with a tombstone', async () => {
    await moderator.post(`/organizations/${clubId}/suspend`, { reason: 'Reported' });
    await platform.settled();
    since = new Date().toISOString();
    await reinstateDuring(() => see('PRIVATE'));
    expect(await readMembership()).toEqual({ status: 404, isListed: false, isTombstone: true });
  });

  test('a match computed during a merge counts for the target profile', async () => {
    const other = await platform.account({ account: 'Other' });
    const swimmer = (value: string) => ({ sports: [{ sport: 'SWIMMING' }], externalIds: [{ scheme: 'TEST', value }] });
    const [second, first] = [(await createAdult(other, swimmer('second'))).id, (await createAdult(other, swimmer('first'))).id];
    const meet = await holdMeet(owner, new Map([['a', second]]), {}, { eventCode: '50_FREE', course: 'LONG' }, ['a']);
    await lock.query('begin');
    await lock.query('select from athletes.external_id where resource_id = $1 for update', [second]);
    const merged = moderator.post(`/athletes/${second}/merge`, { intoId: first });
    await eventually(async () => expect(await waits()).toContainEqual(expect.stringMatching(/externalId/i)));
    await meet.swims({ a: 5000 });
    await eventually(async () => expect(await waits()).toContainEqual(expect.stringMatching(/^athletes.lock|^statistics/)));
    await lock.query('commit');
    expect((await merged).status).toBe(200);
    await platform.settled();
    const { body } = await platform.anonymous.get(`/athletes/${first}/statistics`);
    expect(body.data.map(({ scope }: { scope: string }) => scope)).toEqual(['CAREER', 'SEASON', 'MATCH']);
  });

  test('memberships of a duplicate move to the target profile, even if that one is merged concurrently', async () => {
    const url = platform.database.urlAs(areaRole('organizations'));
    const database = openDatabase({ url, name: 'test-departed', poolSize: 1 });
    const { id: intoId } = await createAdult(owner);
    // a list by athlete needs the projection of the athlete
    await platform.settled();
    // responses of the athletes area before and after the target is merged
    const graph = createGraphCaller((query) =>
      Promise.resolve(
        query.includes('removedAthletes')
          ? { removedAthletes: [{ id: athleteId, mergedInto: intoId, accountId: randomUUID() }] }
          : { athletesById: [] },
      ),
    );
    const writer = createWriter(database, {}, () => undefined);
    await database.transaction((transaction) => applyRemovedAthletes(transaction, writer, graph, [athleteId]));
    await database.close();
    expect(idsOf(await owner.get(`/organizations/memberships?athleteId=${intoId}`))).toEqual([memberId]);
  });
});
