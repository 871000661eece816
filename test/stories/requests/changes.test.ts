/** Updates and their events: merge patches (RFC 7396) keep omitted members, and the history has every transition. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { type Market, offer, openMarket } from '../scouting/market.ts';

let market: Market;
beforeAll(async () => {
  market = await openMarket();
});
afterAll(() => market.platform.close());

describe('a merge patch', () => {
  test('of an opportunity changes its openings with their total; null removes, and a repetition changes nothing', async () => {
    const { id } = await market.post({
      ...market.trial(),
      ageRange: { max: 21 },
      sessions: [{ startsAt: '2027-03-01T10:00:00+01:00', venue: 'Pitch 2' }],
    });
    const patched = await market.owner.patch(`/opportunities/${id}`, { totalOpenings: 8, ageRange: null }, { 'if-match': '"1"' });
    expect(patched.body).toMatchObject({ totalOpenings: 8, remainingOpenings: 8, ageRange: null, version: 2 });
    const same = { totalOpenings: 8, sessions: [{ venue: 'Pitch 2', startsAt: '2027-03-01T09:00:00Z' }] };
    expect((await market.owner.patch(`/opportunities/${id}`, same, { 'if-match': '"2"' })).body.version).toBe(2);
    expect((await market.owner.patch(`/opportunities/${id}`, { title: null }, { 'if-match': '*' })).status).toBe(422);
    expect(
      (await market.owner.patch(`/opportunities/${id}`, { award: { coverage: 'FULL' } }, { 'if-match': '*' })).body,
    ).toMatchObject({
      errors: [{ pointer: '/award' }],
    });
    expect((await market.owner.delete(`/opportunities/${id}`, { 'if-match': '"2"' })).status).toBeLessThan(300);
    expect((await market.owner.get(`/opportunities/${id}`)).status).toBe(404);
  });

  test('of an opportunity merges within its parts as well', async () => {
    const award = { amountMinor: 100, currency: 'EUR', coverage: 'FULL' };
    const facts = { ...offer(), type: 'SCHOLARSHIP', title: 'Merged', award, ageRange: { min: 18, max: 21 } };
    const { id } = await market.post({ ...facts, organizationId: market.university.id });
    const patch = (body: object) => market.owner.patch(`/opportunities/${id}`, body, { 'if-match': '*' });
    const patched = await patch({ award: { coverage: 'PARTIAL' }, ageRange: { min: null } });
    expect(patched.body).toMatchObject({
      award: { ...award, coverage: 'PARTIAL' },
      ageRange: { min: null, max: 21 },
      version: 2,
    });
    expect((await patch({ award: { currency: null } })).body).toMatchObject({ errors: [{ pointer: '/award/currency' }] });
    expect((await patch({ award: { amountMinor: 100 } })).body).toMatchObject({ version: 2 });
    expect((await patch({ award: null })).body).toMatchObject({ award: null, version: 3 });
  });

  test('of an organization keeps the email address when the telephone number changes', async () => {
    const { owner, club } = market;
    const patch = async (body: object) => (await owner.patch(`/organizations/${club.id}`, body, { 'if-match': '*' })).body;
    await patch({ contact: { name: 'Office', email: 'office@example.org' }, safeguarding: { officerName: 'Ada' } });
    expect(await patch({ contact: { phone: '123', name: null } })).toMatchObject({
      contact: { name: null, email: 'office@example.org', phone: '123' },
      safeguarding: { officerName: 'Ada' },
      version: 3,
    });
    expect(await patch({ safeguarding: { policyUrl: null } })).toMatchObject({ version: 3 });
    expect(await patch({ contact: null })).toMatchObject({ contact: null });
  });
});

describe('history', () => {
  let database: pg.Client;
  beforeAll(async () => {
    database = new pg.Client({ connectionString: market.platform.database.ownerUrl });
    await database.connect();
  });
  afterAll(async () => {
    await database.end();
  });

  /** Action and states of each history row of a resource, and its published events. */
  async function reported(area: string, id: string): Promise<{ history: unknown[]; events: string[] }> {
    const history = await database.query<{ action: string; status: unknown }>(
      `select action, changes -> 'status' as status from ${area}.history where resource_id = $1 order by version, id`,
      [id],
    );
    const events = await database.query<{ type: string }>(
      `select type from ${area}.outbox where resource_id = $1 order by version`,
      [id],
    );
    return { history: history.rows.map(({ action, status }) => [action, status]), events: events.rows.map(({ type }) => type) };
  }

  test('a resource created in a later state has the transitions to it, in one event', async () => {
    const { owner, trial, post } = market;
    const { id } = await post({ ...trial(), status: 'PUBLISHED' });
    expect(await reported('opportunities', id)).toEqual({
      history: [
        ['created', [null, 'DRAFT']],
        ['publish', ['DRAFT', 'PUBLISHED']],
      ],
      events: ['opportunity.created'],
    });
    const cup = { name: 'Cup', sport: 'FOOTBALL', type: 'CUP', status: 'PUBLISHED' };
    const { body: competition } = await owner.post('/competitions', cup);
    const played = { competitionId: competition.id, name: '2025', startDate: '2025-01-01', endDate: '2025-02-01' };
    const { body: season } = await owner.post('/competitions/seasons', { ...played, status: 'FINISHED' });
    expect(await reported('competitions', season.id)).toEqual({
      history: [
        ['created', [null, 'PLANNED']],
        ['start', ['PLANNED', 'IN_PROGRESS']],
        ['finish', ['IN_PROGRESS', 'FINISHED']],
      ],
      events: ['season.created'],
    });
  });

  test('every transition creates one row and one event', async () => {
    const { owner, trial, post } = market;
    const { id } = await post(trial());
    for (const verb of ['publish', 'pause', 'close']) await owner.post(`/opportunities/${id}/${verb}`);
    expect(await reported('opportunities', id)).toEqual({
      history: [
        ['created', [null, 'DRAFT']],
        ['publish', ['DRAFT', 'PUBLISHED']],
        ['pause', ['PUBLISHED', 'PAUSED']],
        ['close', ['PAUSED', 'CLOSED']],
      ],
      events: ['opportunity.created', ...Array<string>(3).fill('opportunity.status_changed')],
    });
  });
});
