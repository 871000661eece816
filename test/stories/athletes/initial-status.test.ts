/** A resource that is created in a later status has the skipped transitions in its history. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openDatabase, sql, type Database } from '../../../platform/database/database.ts';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { playLeague, type League } from '../competitions/leagues.ts';
import { bornFor, facts } from './people.ts';

let platform: TestPlatform;
let owner: Client;
let database: Database;
beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account({ account: 'Archive' });
  database = openDatabase({ url: platform.database.ownerUrl, name: 'test-history', poolSize: 1 });
});
afterAll(async () => {
  await database.close();
  await platform.close();
});

/** The history of a resource with its statuses, and the types of its events. */
async function recordsOf(id: string): Promise<{ steps: unknown[]; events: string[] }> {
  const areas = ['athletes', 'organizations', 'competitions'] as const;
  const steps: unknown[] = [];
  const events: string[] = [];
  for (const area of areas) {
    await database.transaction(async (transaction) => {
      await transaction.query(sql`/* test.area */ select set_config('search_path', ${area}, true)`);
      const rows = await transaction.query<{ step: unknown }>(
        sql`/* test.history */ select jsonb_build_array(action, version, changes -> 'status') as step from history where resource_id = ${id} order by id`,
      );
      steps.push(...rows.map(({ step }) => step));
      const sent = await transaction.query<{ type: string }>(
        sql`/* test.outbox */ select type from outbox where resource_id = ${id} order by id`,
      );
      events.push(...sent.map(({ type }) => type));
    });
  }
  return { steps, events };
}

const adult = { dateOfBirth: bornFor(25, 3) };

test.each([
  ['/athletes', facts(adult), 'athlete', 'DRAFT', 'activate', 'ACTIVE'],
  [
    '/organizations',
    { type: 'CLUB', name: 'Archive', country: 'DE', sports: ['FOOTBALL'] },
    'organization',
    'DRAFT',
    'activate',
    'ACTIVE',
  ],
  ['/competitions', { name: 'Archive', sport: 'FOOTBALL', type: 'CUP' }, 'competition', 'DRAFT', 'publish', 'PUBLISHED'],
])(
  '%s: creation in a later status records the creation and the transitions, with one event',
  async (path, body, type, first, action, state) => {
    const { externalIds: _, ...rest } = { externalIds: [], ...body };
    const plain = (await owner.post(path, rest)).body;
    expect(await recordsOf(plain.id)).toEqual({ steps: [['created', 1, [null, first]]], events: [`${type}.created`] });
    const later = (await owner.post(path, { ...rest, status: state })).body;
    expect(await recordsOf(later.id)).toEqual({
      steps: [
        ['created', 1, [null, first]],
        [action, 1, [first, state]],
      ],
      events: [`${type}.created`],
    });
  },
);

test('a minor created as ACTIVE has no skipped transition', async () => {
  const { id } = (await owner.post('/athletes', facts({ dateOfBirth: bornFor(15, 3), status: 'ACTIVE' }))).body;
  expect((await recordsOf(id)).steps).toEqual([['created', 1, [null, 'PENDING_CONSENT']]]);
});

test('a failed batch item leaves no transitions', async () => {
  const item = facts({ ...adult, status: 'ACTIVE' });
  const items = [item, { ...item, externalIds: [{ scheme: 'TEST', value: 'other' }, ...item.externalIds] }];
  const { body } = await owner.post('/athletes/batch', { items });
  expect(body.summary).toMatchObject({ created: 1, failed: 1 });
  const created = body.data.find((each: { id: string | null }) => each.id !== null);
  expect((await recordsOf(created.id)).steps).toHaveLength(2);
});

describe('a match', () => {
  const scored = (league: League) => ({
    status: 'OFFICIAL',
    participants: league.participants.map((participantId, score) => ({ participantId, score })),
  });
  const sides = (league: League) => league.participants.map((participantId) => ({ participantId }));

  test('that is created as finished has all transitions in its history and one event', async () => {
    const league = await playLeague(owner, ['Rot', 'Blau']);
    const { id } = (
      await owner.post('/competitions/matches', {
        seasonId: league.seasonId,
        status: 'FINISHED',
        participants: sides(league),
        result: scored(league),
      })
    ).body;
    expect(await recordsOf(id)).toEqual({
      steps: [
        ['created', 1, [null, 'SCHEDULED']],
        ['start', 1, ['SCHEDULED', 'IN_PLAY']],
        ['finish', 1, ['IN_PLAY', 'FINISHED']],
      ],
      events: ['match.created'],
    });
  });

  test('that a batch finishes has all transitions in its history, once', async () => {
    const league = await playLeague(owner, ['Rot', 'Blau']);
    const item = {
      externalIds: [{ scheme: 'TEST', value: 'steps' }],
      seasonId: league.seasonId,
      startTime: '2026-10-01T18:00:00Z',
      participants: sides(league),
    };
    const { body } = await owner.post('/competitions/matches/batch', { items: [item] });
    const { id } = body.data[0];
    await owner.post('/competitions/matches/batch', { items: [{ ...item, status: 'FINISHED', result: scored(league) }] });
    await owner.post(`/competitions/matches/${id}/award`, { reason: 'Protest' });
    expect(await recordsOf(id)).toEqual({
      steps: [
        ['created', 1, [null, 'SCHEDULED']],
        ['schedule', 1, ['SCHEDULED', 'TIMED']],
        ['start', 1, ['TIMED', 'IN_PLAY']],
        ['finish', 2, ['IN_PLAY', 'FINISHED']],
        ['award', 3, ['FINISHED', 'AWARDED']],
      ],
      events: ['match.created', 'match.finished', 'match.status_changed'],
    });
  });

  test('records the changes of its participants and actions', async () => {
    const league = await playLeague(owner, ['Rot', 'Blau']);
    const [first, second] = sides(league);
    const { body: match } = await owner.post('/competitions/matches', { seasonId: league.seasonId, participants: [first] });
    await owner.post(`/competitions/matches/${match.id}/participants`, second);
    await owner.post(`/competitions/matches/${match.id}/start`);
    const goal = { type: 'GOAL', ...first };
    const { body: action, status } = await owner.post(`/competitions/matches/${match.id}/actions`, goal);
    expect([status, action]).toEqual([201, expect.objectContaining({ type: 'GOAL' })]);
    const deleted = await owner.delete(`/competitions/matches/${match.id}/actions/${action.id}`, { 'if-match': '*' });
    expect(deleted.status).toBe(200);
    expect(await recordsOf(match.id)).toEqual({
      steps: [
        ['created', 1, [null, 'SCHEDULED']],
        ['participants', 2, null],
        ['start', 3, ['SCHEDULED', 'IN_PLAY']],
      ],
      events: ['match.created', 'match.updated', 'match.status_changed'],
    });
    expect((await recordsOf(action.id)).events).toEqual(['match_action.created', 'match_action.deleted']);
  });
});
