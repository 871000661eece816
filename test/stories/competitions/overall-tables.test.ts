/** Tables over all groups of a stage: the Supporters' Shield of MLS, and Super Rugby. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { leagueTables, places } from './league-tables.ts';

let platform: TestPlatform;
let owner: Client;
let tables: ReturnType<typeof leagueTables>;
beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account({ account: 'Association' });
  tables = leagueTables(owner);
});
afterAll(() => platform.close());

describe('a table over all groups', () => {
  const names = ['Miami', 'Columbus', 'Atlanta', 'Seattle', 'Galaxy', 'Austin'];
  const conferenceOf = (name: string): string => (names.indexOf(name) < 3 ? 'East' : 'West');
  let stageId: string;
  beforeAll(async () => {
    const facts = { name: 'MLS', sport: 'FOOTBALL', rankingRules: { ruleSet: 'FOOTBALL_MLS' } };
    const opened = await tables.open(names, facts, ['East', 'West']);
    stageId = opened.stageId;
    await tables.enter(opened.league, names, (name) => ({ group: conferenceOf(name) }));
    await tables.play(opened.league, names, stageId, [
      'Miami 3-0 Columbus', 'Miami 2-0 Seattle', 'Columbus 2-0 Atlanta', 'Seattle 4-0 Austin', 'Galaxy 1-1 Austin', 'Seattle 1-0 Atlanta',
    ]); // prettier-ignore
  });

  test('has positions over the whole league, with the conference and its record in each row', async () => {
    expect(places((await tables.rowsOf(stageId)).filter(({ group }) => group === 'West'))).toBe('1 Seattle, 2 Galaxy, 3 Austin');
    const overall = await tables.rowsOf(stageId, '&type=OVERALL');
    expect(overall.map(({ position, group, participant }) => `${position} ${participant.name} ${group}`)).toEqual([
      '1 Miami East',
      '2 Seattle West',
      '3 Columbus East',
      '4 Galaxy West',
      '5 Austin West',
      '6 Atlanta East',
    ]);
    expect(overall[1]).toMatchObject({ groupRecord: { won: 1, draw: 0, lost: 0 }, tieBreak: { criterion: 'DIFFERENCE' } });
  });

  test('can be paged and read for a date', async () => {
    const { body } = await owner.get(`/competitions/rankings?stageId=${stageId}&type=OVERALL&limit=4`);
    const next = await owner.get(
      `/competitions/rankings?stageId=${stageId}&type=OVERALL&limit=4&cursor=${encodeURIComponent(body.page.nextCursor)}`,
    );
    expect(places([...body.data, ...next.body.data])).toBe(places(await tables.rowsOf(stageId, '&type=OVERALL')));
    expect(places(await tables.rowsOf(stageId, '&type=OVERALL&asOf=2026-09-01'))).toMatch(/^1 Miami/);
  });

  test('does not apply to one group', async () => {
    const { status, body } = await owner.get(`/competitions/rankings?stageId=${stageId}&type=OVERALL&group=East`);
    expect([status, body.errors]).toEqual([400, [expect.objectContaining({ parameter: 'group', code: 'contradiction' })]]);
  });

  test('does not exist in a stage without groups', async () => {
    const single = await tables.open(['One', 'Two'], { name: 'Single' }, []);
    expect(await tables.rowsOf(single.stageId, '&type=OVERALL')).toEqual([]);
  });
});

test('Super Rugby: 4-2-0, a bonus point for three more tries and for narrow losses, then wins', async () => {
  const names = ['Blues', 'Chiefs', 'Brumbies', 'Reds'];
  const facts = { name: 'Super Rugby', sport: 'RUGBY', rankingRules: { ruleSet: 'RUGBY_SUPER' } };
  const { league, stageId } = await tables.open(names, facts, ['New Zealand', 'Australia']);
  await tables.enter(league, names, (name) => ({ group: names.indexOf(name) < 2 ? 'New Zealand' : 'Australia' }));
  await tables.play(league, names, stageId, [
    'Blues 30-10 Chiefs 4-1', // 5 and 0
    'Brumbies 20-20 Reds 3-3', // 2 each
    'Chiefs 27-20 Reds 4-3', // 4 and 1: four tries alone earn no bonus
    'Brumbies 15-15 Blues 2-2', // 2 each
    'Reds 10-14 Brumbies 1-2', // 1 and 4
    'Blues 3-40 Chiefs 0-3', // 0 and 5: three more tries
  ]);
  const overall = await tables.rowsOf(stageId, '&type=OVERALL');
  expect(overall.map(({ participant, points }) => [participant.name, points])).toEqual([
    ['Chiefs', 9],
    ['Brumbies', 8],
    ['Blues', 7],
    ['Reds', 4],
  ]);
  expect(places((await tables.rowsOf(stageId)).filter(({ group }) => group === 'Australia'))).toBe('1 Brumbies, 2 Reds');
});
