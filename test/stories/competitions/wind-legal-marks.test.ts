/** Best marks of jumps with too much wind: the competition counts every attempt, records only those with legal wind. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { bornFor, createAthlete } from '../athletes/people.ts';
import { holdMeet } from './meets.ts';

let platform: TestPlatform;
let owner: Client;
const athletes = new Map<string, string>();
const names = ['Ada', 'Bea', 'Cleo'];
beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account({ account: 'Athletics' });
  for (const displayName of names) {
    const sports = [{ sport: 'ATHLETICS' }];
    const { id } = await createAthlete(owner, { displayName, sports, status: 'ACTIVE', dateOfBirth: bornFor(24, 10) });
    athletes.set(displayName, id);
  }
});
afterAll(() => platform.close());

/** `8.45/+2.4 x 7.90/0`: distances with wind, and fouls. */
const series = (text: string) => ({
  attempts: text.split(' ').map((word) => {
    const [distance, wind] = word.split('/').map(Number);
    return word === 'x'
      ? { outcome: 'FAILED' }
      : { outcome: 'VALID', value: Math.round((distance ?? 0) * 1000), windMmPerS: Math.round((wind ?? 0) * 1000) };
  }),
});

interface Row {
  readonly position: number;
  readonly participant: { readonly athlete: { readonly displayName: string } };
  readonly mark: { readonly display: string };
  readonly windMmPerS: number;
  readonly windAssisted: boolean;
}

const ranking = async (query: string): Promise<string[]> => {
  const { status, body } = await platform.anonymous.get(`/competitions/rankings?${query}`);
  expect([status, body.detail]).toEqual([200, undefined]);
  return body.data.map(({ position, participant, mark, windMmPerS, windAssisted }: Row) =>
    [position, participant.athlete.displayName, mark.display, windMmPerS, ...(windAssisted ? ['assisted'] : [])].join(' '),
  );
};
const bestMarks = () => ranking('sport=ATHLETICS&eventCode=LONG_JUMP');

async function personalBest(name: string): Promise<unknown> {
  const { body } = await platform.anonymous.graphql(
    `query ($id: ID!) { athlete(id: $id) { personalBests { eventCode windMmPerS mark { display } match { id } } } }`,
    { id: athletes.get(name) },
  );
  return body.data.athlete.personalBests;
}

/** The season's best and the personal best of an athlete in the computed statistics. */
async function statisticsOf(name: string): Promise<readonly (readonly [string, unknown])[]> {
  await platform.settled();
  const query = `athleteId=${athletes.get(name)}&source=COMPUTED&limit=100`;
  const { body } = await platform.anonymous.get(`/athletes/statistics?${query}`);
  return body.data
    .filter(({ scope }: { scope: string }) => scope !== 'MATCH')
    .map(({ scope, metrics }: { scope: string; metrics: readonly { value: number }[] }) => [
      scope,
      metrics.map(({ value }) => value),
    ])
    .toSorted();
}

describe('a wind-legal long jump', () => {
  let matchId: string;
  let entered: ReadonlyMap<string, string>;
  let finalId: string;

  const correct = async (of: Readonly<Record<string, string>>): Promise<void> => {
    const participants = Object.entries(of).map(([name, text]) => ({ participantId: entered.get(name), ...series(text) }));
    const { status, body } = await owner.post(`/competitions/matches/${matchId}/result/correct`, {
      reason: 'Wind gauge',
      participants,
    });
    expect([status, body.errors]).toEqual([200, undefined]);
  };

  beforeAll(async () => {
    const kind = { sport: 'ATHLETICS', discipline: 'FIELD' };
    const meet = await holdMeet(owner, athletes, kind, { eventCode: 'LONG_JUMP' }, names);
    ({ entered } = meet);
    finalId = meet.final.id;
    matchId = await meet.swims({
      Ada: series('8.45/+2.4 7.80/-0.3 x 7.90/0.0 8.20/+2.1'),
      Bea: series('8.30/+2.5 x 8.10/+3.0'),
      Cleo: series('7.70/+2.0 7.60/+0.1'),
    });
  });

  test('wins with the longest attempt, and is listed with the longest attempt of legal wind', async () => {
    expect(await ranking(`stageId=${finalId}`)).toEqual([
      '1 Ada 8.45 2400 assisted',
      '2 Bea 8.30 2500 assisted',
      '3 Cleo 7.70 2000',
    ]);
    expect(await bestMarks()).toEqual(['1 Ada 7.90 0', '2 Cleo 7.70 2000']);
    const { body } = await platform.anonymous.get(`/competitions/matches/${matchId}/result`);
    expect(body.participants[0]).toMatchObject({ mark: { value: 8450 }, windMmPerS: 2400 });
  });

  test('is the personal best and the best of the season; only wind-assisted attempts give none', async () => {
    const best = { eventCode: 'LONG_JUMP', windMmPerS: 0, mark: { display: '7.90' }, match: { id: matchId } };
    expect(await personalBest('Ada')).toEqual([best]);
    expect(await personalBest('Bea')).toEqual([]);
    expect(await statisticsOf('Ada')).toEqual([
      ['CAREER', [7900]],
      ['SEASON', [7900]],
    ]);
    expect((await statisticsOf('Bea')).flatMap(([, values]) => values)).toEqual([]);
  });

  test('follows a correction of the wind, of the legal attempt, and back', async () => {
    const others = { Bea: '8.30/+2.5 x 8.10/+2.0', Cleo: '7.70/+2.0 7.60/+0.1' };
    await correct({ Ada: '8.45/+1.4 7.80/-0.3 x 7.90/0.0 8.20/+2.1', ...others });
    expect(await bestMarks()).toEqual(['1 Ada 8.45 1400', '2 Bea 8.10 2000', '3 Cleo 7.70 2000']);
    expect((await statisticsOf('Ada'))[0]).toEqual(['CAREER', [8450]]);
    await correct({ Ada: '8.45/+2.4 7.80/-0.3 x 7.90/+2.2 8.20/+2.1', ...others });
    expect(await bestMarks()).toEqual(['1 Bea 8.10 2000', '2 Ada 7.80 -300', '3 Cleo 7.70 2000']);
    expect((await statisticsOf('Ada'))[1]).toEqual(['SEASON', [7800]]);
    await correct({ Ada: '8.45/+2.4 x', ...others });
    expect(await bestMarks()).toEqual(['1 Bea 8.10 2000', '2 Cleo 7.70 2000']);
    expect(await personalBest('Ada')).toEqual([]);
  });

  test('of equal length counts with the legal wind', async () => {
    await correct({ Ada: '8.45/+2.4 8.45/+1.9', Bea: '8.30/+2.5', Cleo: '7.70/+2.0' });
    expect(await bestMarks()).toEqual(['1 Ada 8.45 1900', '2 Cleo 7.70 2000']);
  });
});
