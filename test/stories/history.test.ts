/** What history tells of resources that begin in a later state, and of every step after. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { openMarket, type Market } from './market.ts';

let market: Market;
let database: pg.Client;
beforeAll(async () => {
  market = await openMarket();
  database = new pg.Client({ connectionString: market.world.database.ownerUrl });
  await database.connect();
});
afterAll(async () => {
  await database.end();
  await market.world.close();
});

/** Action and states of each history row of a resource, and the events that were sent about it. */
async function told(area: string, id: string): Promise<{ history: unknown[]; events: string[] }> {
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

test('a resource that begins in a later state took the steps to it, in one event', async () => {
  const { owner, trial, post } = market;
  const { id } = await post({ ...trial(), status: 'PUBLISHED' });
  expect(await told('opportunities', id)).toEqual({
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
  expect(await told('competitions', season.id)).toEqual({
    history: [
      ['created', [null, 'PLANNED']],
      ['start', ['PLANNED', 'IN_PROGRESS']],
      ['finish', ['IN_PROGRESS', 'FINISHED']],
    ],
    events: ['season.created'],
  });
});

test('every step leaves one row and one event', async () => {
  const { owner, trial, post } = market;
  const { id } = await post(trial());
  for (const verb of ['publish', 'pause', 'close']) await owner.post(`/opportunities/${id}/${verb}`);
  expect(await told('opportunities', id)).toEqual({
    history: [
      ['created', [null, 'DRAFT']],
      ['publish', ['DRAFT', 'PUBLISHED']],
      ['pause', ['PUBLISHED', 'PAUSED']],
      ['close', ['PAUSED', 'CLOSED']],
    ],
    events: ['opportunity.created', ...Array<string>(3).fill('opportunity.status_changed')],
  });
});
