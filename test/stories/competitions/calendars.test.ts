/** Calendars of matches and deadlines, read by the parser of a calendar program. */
import ICAL from 'ical.js';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { playLeague, type League } from './leagues.ts';
import { createResource } from './season-fixtures.ts';
import { scoring } from './scores.ts';

let platform: TestPlatform;
let owner: Client;
let league: League;
beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account({ account: 'League' });
  league = await playLeague(owner, ['Rot; Weiß, 1900', 'Blau', 'Grün'], { name: 'Landesliga' });
  const { played, fixture, path } = scoring(owner, league);
  const venue = { name: 'Stadion am Wald', city: 'Bochum', country: 'DE' };
  await played([0, 1], [2, 1], { startTime: '2026-09-05T13:30:00Z', timeZone: 'Europe/Berlin', venue });
  await fixture([1, 2], { date: '2026-10-03', round: 'Matchday 5' });
  const { id } = await fixture([2, 0], { startTime: '2026-11-07T18:00:00Z' });
  await owner.post(`${path(id)}/cancel`, { reason: 'Snow' });
});
afterAll(() => platform.close());

async function eventsOf(path: string, headers: Record<string, string> = {}) {
  const response = await platform.anonymous.get(path, headers);
  expect([path, response.status, response.headers.get('content-type')]).toEqual([path, 200, 'text/calendar; charset=utf-8']);
  const text = String(response.body);
  const calendar = new ICAL.Component(ICAL.parse(text) as unknown[]);
  const events = calendar.getAllSubcomponents('vevent').map((each) => new ICAL.Event(each));
  return { events, text, etag: response.headers.get('etag') ?? '' };
}

test('the matches of a team, with score, place, whole days and cancellations', async () => {
  const { events } = await eventsOf(`/competitions/matches.ics?teamId=${league.teams[0]},${league.teams[1]}`);
  expect(events.map(({ summary, startDate }) => [summary, startDate.toString(), startDate.isDate])).toEqual([
    ['Rot; Weiß, 1900 – Blau 2-1', '2026-09-05T13:30:00Z', false],
    ['Blau – Grün', '2026-10-03', true],
    ['Grün – Rot; Weiß, 1900', '2026-11-07T18:00:00Z', false],
  ]);
  expect(events[0]).toMatchObject({ location: 'Stadion am Wald, Bochum, DE' });
  expect(events[0]?.endDate.toString()).toBe('2026-09-05T15:30:00Z');
  expect(events[1]?.description).toContain('Landesliga, 2026/27');
  const property = (name: string): unknown[] => events.map(({ component }) => component.getFirstPropertyValue(name));
  expect(property('status')).toEqual(['CONFIRMED', 'TENTATIVE', 'CANCELLED']);
  const { body } = await platform.anonymous.get(`/competitions/matches?seasonId=${league.seasonId}`);
  expect(property('uid')).toEqual(body.data.map(({ id }: { id: string }) => id));
  const sequenceOf = (row: { version: number; result: { version: number } | null }) => row.version + (row.result?.version ?? 0);
  expect(property('sequence')).toEqual(body.data.map(sequenceOf));
});

test('a calendar is named after its team, season, competition or opportunities', async () => {
  const [team, other] = league.teams;
  const nameOf = async (query: string) => /^X-WR-CALNAME:(.*)\r$/m.exec((await eventsOf(`/competitions/${query}`)).text)?.[1];
  expect(await nameOf(`matches.ics?teamId=${other}`)).toBe('Blau');
  expect(await nameOf(`matches.ics?teamId=${team},${other}`)).toBe('Matches');
  expect(await nameOf(`matches.ics?competitionId=${league.competitionId}`)).toBe('Landesliga');
  expect(await nameOf(`matches.ics?seasonId=${league.seasonId}`)).toBe('Landesliga 2026/27');
  expect(await nameOf(`matches.ics?participantId=${league.participants[2]}`)).toBe('Grün');
});

test('an unchanged calendar is 304', async () => {
  const path = `/competitions/matches.ics?seasonId=${league.seasonId}`;
  const { etag, text } = await eventsOf(path);
  expect((await eventsOf(path)).text).toBe(text);
  expect(await platform.anonymous.get(path, { 'if-none-match': etag })).toMatchObject({ status: 304, body: '' });
});

test('the deadlines of opportunities', async () => {
  const club = { type: 'CLUB', name: 'Sportclub', country: 'DE', sports: ['FOOTBALL'], status: 'ACTIVE' };
  const { id: organizationId } = await createResource(owner, '/organizations', club);
  const opportunity = {
    organizationId,
    type: 'TRIAL',
    title: 'Open trial',
    sport: 'FOOTBALL',
    totalOpenings: 5,
    description: 'For all',
  };
  const deadline = new Date(Date.now() + 10 * 86_400_000).toISOString().replace(/\.\d+Z$/, '.000Z');
  const created = await createResource(owner, '/opportunities', { ...opportunity, applicationDeadline: deadline });
  expect(await owner.post(`/opportunities/${created.id}/publish`)).toMatchObject({ status: 200 });
  const { events } = await eventsOf(`/opportunities.ics?organizationId=${organizationId}`);
  expect(events.map(({ summary, uid, startDate }) => [summary, uid, startDate.toJSDate().toISOString().slice(0, 19)])).toEqual([
    ['Application deadline: Open trial', created.id, deadline.slice(0, 19)],
  ]);
});

test.each([
  ['/competitions/matches.ics', 'competitionId'],
  ['/competitions/matches.ics?seasonId=x', 'seasonId'],
  ['/competitions/matches.ics?fields=id&sport=FOOTBALL', 'fields'],
  ['/competitions/matches.ics?sport=FOOTBALL&limit=5', 'limit'],
  ['/competitions/matches.ics?sport=FOOTBALL&next=5', 'next'],
  ['/competitions/matches.ics?sport=FOOTBALL&last=5', 'last'],
  ['/competitions/matches.ics?sport=FOOTBALL&sort=startTime', 'sort'],
  ['/opportunities.ics?updatedSince=2026-01-01T00:00:00Z', 'updatedSince'],
])('%s is rejected', async (path, parameter) => {
  const { status, body } = await platform.anonymous.get(path);
  expect([status, body.errors[0].parameter]).toEqual([400, parameter]);
});

test('other methods are not supported, and other lists have no calendar', async () => {
  expect(await owner.post('/competitions/matches.ics', {})).toMatchObject({ status: 405 });
  expect(await owner.get('/athletes.ics')).toMatchObject({ status: 404 });
});
