/** Lists of matches by day and time zone, of several teams, between two teams, and of those being played. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { playLeague, type League } from './leagues.ts';
import { scoring } from './scores.ts';

let platform: TestPlatform;
let owner: Client;
let league: League;
beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account({ account: 'League' });
  league = await playLeague(owner, ['Rot', 'Blau']);
});
afterAll(() => platform.close());

describe('matches of a day, of teams, and being played', () => {
  let cup: League;
  let at: ReturnType<typeof scoring>;
  const ids: Record<string, string> = {};
  beforeAll(async () => {
    cup = await playLeague(owner, ['Ost', 'Nordost', 'Südost'], { name: 'Ostpokal' });
    at = scoring(owner, cup);
    ids['first'] = (await at.fixture([0, 1], { startTime: '2026-11-20T23:30:00Z', timeZone: 'Europe/Berlin' })).id;
    ids['second'] = (await at.fixture([1, 2], { startTime: '2026-11-21T12:00:00Z', timeZone: 'Europe/Berlin' })).id;
    ids['dated'] = (await at.fixture([0, 2], { date: '2026-11-20' })).id;
    ids['today'] = (await at.begun([1, 0], { startTime: new Date().toISOString() })).id;
  });
  const found = async (query: string): Promise<(string | undefined)[]> => {
    const { status, body } = await platform.anonymous.get(`/competitions/matches?seasonId=${cup.seasonId}&${query}`);
    expect([status, body.errors]).toEqual([200, undefined]);
    return body.data.map(({ id }: { id: string }) => Object.keys(ids).find((name) => ids[name] === id));
  };

  test('are on the day of the venue, or of a time zone', async () => {
    // 00:30 in Berlin, the evening before in London
    expect(await found('date=2026-11-21')).toEqual(['first', 'second']);
    expect(await found('date=2026-11-20&timeZone=Europe/London')).toEqual(['dated', 'first']);
    expect(await found('date=2026-11-21&timeZone=Europe/London')).toEqual(['second']);
    expect(await found('date=2026-11-22&timeZone=Pacific/Auckland')).toEqual(['second']);
  });

  test('are those of today, whatever the time zone calls it', async () => {
    expect(await found('date=today')).toEqual(['today']);
    expect(await found('date=today&timeZone=Pacific/Kiritimati')).toEqual(['today']);
    expect(await found('date=tomorrow')).toEqual([]);
  });

  test('are being played, or are not', async () => {
    expect(await found('live=true')).toEqual(['today']);
    expect(await found('live=false')).toEqual(['dated', 'first', 'second']);
  });

  test('are those of several teams, and those between two', async () => {
    const [ost, nordost, suedost] = cup.teams;
    expect(await found(`teamId=${ost},${suedost}`)).toEqual(['dated', 'first', 'second', 'today']);
    expect(await found(`teamId=${suedost}&teamId=${crypto.randomUUID()}`)).toEqual(['dated', 'second']);
    expect(await found(`teamId=${ost}&opponentId=${nordost}`)).toEqual(['first', 'today']);
    expect(await found(`competitionId=${cup.competitionId},${league.competitionId}&live=true`)).toEqual(['today']);
  });

  test.each([
    ['timeZone=Europe/Berlin', 'timeZone', 'requires'],
    ['date=today&timeZone=Europe/Atlantis', 'timeZone', 'format'],
    ['date=2026-02-31', 'date', 'format'],
    ['opponentId=01a1fc7b-4518-7635-958d-4598d21a7a39', 'opponentId', 'requires'],
  ])('%s is parameter_invalid', async (query, parameter, code) => {
    const { status, body } = await platform.anonymous.get(`/competitions/matches?${query}`);
    expect([status, body.errors]).toMatchObject([400, [{ parameter, code }]]);
  });
});
