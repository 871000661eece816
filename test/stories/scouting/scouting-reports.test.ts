/** Scouting reports in words and by aspect, the list of all reports of an account, templates and exports. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { createAdult } from '../organizations/clubs.ts';
import { playLeague } from '../competitions/leagues.ts';
import { createResource } from '../competitions/season-fixtures.ts';
import { addEntry, anyVersion, createShortlist, report } from './scouts.ts';

let platform: TestPlatform;
let scout: Client;
let agent: Client;
beforeAll(async () => {
  platform = await openTestPlatform();
  scout = await platform.account({ account: 'Scout' });
  agent = await platform.account({ account: 'Agent' });
});
afterAll(() => platform.close());

const told = {
  author: 'Ana Scout',
  role: 'Ball-playing centre-back',
  summary: 'Reads the game early.\nWeak in the air.',
  strengths: ['Passing under pressure', 'Anticipation'],
  weaknesses: ['Aerial duels'],
  overall: 7,
  potential: 8.5,
  sport: 'FOOTBALL',
  aspects: [
    { code: 'COMPOSURE', rating: 8.5 },
    { code: 'PASSING', rating: 8, comment: 'Both feet' },
  ],
  clips: [{ url: 'https://example.org/scene.mp4', title: 'Long pass', atMs: 61_000 }],
};

test('a report has words, grades, aspects in the order of the template, clips and the match', async () => {
  const league = await playLeague(agent, ['Eins', 'Zwei']);
  const match = await createResource(agent, '/competitions/matches', { seasonId: league.seasonId });
  const athlete = await createAdult(agent);
  const entry = await addEntry(scout, await createShortlist(scout), athlete.id);
  const written = await scout.post(`${entry}/reports`, report({ ...told, matchId: match.id }));
  expect([written.status, written.body.errors]).toEqual([201, undefined]);
  const { body } = await scout.get(written.headers.get('location') ?? '');
  expect(body).toMatchObject({
    ...told,
    match: { id: match.id },
    entry: { athleteId: athlete.id, athlete: { id: athlete.id } },
    aspects: [
      { code: 'PASSING', title: 'Passing', rating: 8, comment: 'Both feet' },
      { code: 'COMPOSURE', title: 'Composure under pressure', rating: 8.5, comment: null },
    ],
  });
  const owner = (await agent.get(`/athletes/${athlete.id}/export`)).body;
  expect(owner.ratings.data).toMatchObject([
    { overall: 7, potential: 8.5, aspects: [{ code: 'PASSING' }, { code: 'COMPOSURE' }] },
  ]);
  expect(JSON.stringify(owner.ratings)).not.toMatch(/Both feet|Ana Scout|Reads the game/);

  const errors = async (more: object) => {
    const { body: problem } = await scout.post(`${entry}/reports`, report({ ...told, ...more }));
    return problem.errors.map(({ pointer, code }: { pointer: string; code: string }) => `${code} ${pointer}`);
  };
  expect(await errors({ overall: 7.3 })).toEqual(['too_precise /overall']);
  expect(await errors({ potential: 6 })).toEqual(['below_overall /potential']);
  expect(await errors({ sport: null })).toEqual(['required /sport']);
  expect(await errors({ aspects: [{ code: 'SERVE', rating: 5 }] })).toEqual(['unknown_aspect /aspects/0/code']);
  expect(await errors({ aspects: [told.aspects[0], told.aspects[0]] })).toEqual(['duplicate /aspects/1/code']);
  expect(await errors({ clips: [{ url: 'http://example.org/x' }] })).toEqual(['not_https /clips/0/url']);
});

test('all reports of an account are one list with filters, exports and tombstones, and no other account sees them', async () => {
  const owner = await platform.account({ account: 'Club' });
  const [first, second] = [await createAdult(agent), await createAdult(agent)];
  const list = await createShortlist(owner);
  const [one, other] = [await addEntry(owner, list, first.id), await addEntry(owner, list, second.id)];
  await owner.post(`${one}/reports`, report({ ...told, date: '2026-01-01', recommendation: 'SIGN' }));
  await owner.post(`${one}/reports`, report({ date: '2026-02-01', author: 'Ben', overall: 5 }));
  await owner.post(`${other}/reports`, report({ date: '2026-03-01', recommendation: 'REJECT' }));
  const dates = async (query: string) => {
    const { status, body } = await owner.get(`/scouting/reports?${query}`);
    expect(status).toBe(200);
    return body.data.map(({ date }: { date: string }) => date.slice(5, 7));
  };
  expect(await dates('')).toEqual(['03', '02', '01']);
  expect(await dates(`athleteId=${first.id}`)).toEqual(['02', '01']);
  expect(await dates('recommendation=SIGN,REJECT')).toEqual(['03', '01']);
  expect(await dates('author=ana%20scout')).toEqual(['01']);
  expect(await dates('overallMin=6')).toEqual(['01']);
  expect(await dates('potentialMin=8')).toEqual(['01']);
  expect(await dates('dateFrom=2026-02-01&dateTo=2026-02-28')).toEqual(['02']);
  expect(await dates(`shortlistId=${list.split('/').at(-1)}`)).toEqual(['03', '02', '01']);
  const rival = await platform.account({ account: 'Rival' });
  expect((await rival.get('/scouting/reports')).body.data).toEqual([]);
  expect((await platform.anonymous.get('/scouting/reports')).status).toBe(401);

  const page = await owner.get('/scouting/reports?limit=1');
  const next = await owner.get(`/scouting/reports?limit=5&cursor=${encodeURIComponent(page.body.page.nextCursor)}`);
  expect(next.body.data).toHaveLength(2);
  const csv = await owner.get('/scouting/reports', { accept: 'text/csv' });
  expect([csv.status, csv.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/csv')]);
  const signed = (await owner.get('/scouting/reports?recommendation=SIGN', { accept: 'text/csv' })).body;
  expect(signed.split(/\r?\n/)[0].split(',')).toEqual(
    expect.arrayContaining(['id', 'date', 'author', 'overall', 'potential', 'recommendation']),
  );
  expect(signed).toContain('2026-01-01');
  expect(signed).toContain('Ana Scout');
  expect(signed).toContain('"Reads the game early.\nWeak in the air."');
  expect(signed).not.toMatch(/2026-0[23]-01|REJECT|Ben/);

  const since = encodeURIComponent(new Date(Date.now() - 60_000).toISOString());
  const reported = (await owner.get(`/scouting/reports?updatedSince=${since}`)).body;
  await owner.delete(one, anyVersion);
  const after = (await owner.get(`/scouting/reports?updatedSince=${since}`)).body;
  expect([reported.data.length, after.data.length, after.tombstones.length]).toEqual([3, 1, 2]);
});

test('only an account that can read the remaining profile finds the reports on a merged one by its ID', async () => {
  const moderator = await platform.account({ account: 'Moderation', scopes: ['moderation:write'] });
  const keeper = await platform.account({ account: 'Keeper' });
  const [twin, kept] = [await createAdult(agent), await createAdult(agent)];
  await keeper.post(`${await addEntry(keeper, await createShortlist(keeper), twin.id)}/reports`, report());
  expect((await moderator.post(`/athletes/${twin.id}/merge`, { intoId: kept.id, reason: 'Twice' })).status).toBe(200);
  await platform.settled();
  const found = async (id: string) => (await keeper.get(`/scouting/reports?athleteId=${id}`)).body.data.length;
  expect([await found(twin.id), await found(kept.id)]).toEqual([1, 1]);
  await agent.patch(`/athletes/${kept.id}`, { visibility: 'PRIVATE' }, anyVersion);
  await platform.settled();
  expect([await found(twin.id), await found(kept.id)]).toEqual([1, 0]);
});

test('a report is about a sport of the athlete, a match of that sport, and a day on which the athlete could be observed', async () => {
  const league = await playLeague(agent, ['Uno', 'Due'], { sport: 'HANDBALL' });
  const handball = await createResource(agent, '/competitions/matches', { seasonId: league.seasonId });
  const draft = await playLeague(agent, ['Tre', 'Quattro'], { status: 'DRAFT' });
  const hidden = await createResource(agent, '/competitions/matches', { seasonId: draft.seasonId });
  const athlete = await createAdult(agent, { dateOfBirth: '2001-06-15' });
  const entry = await addEntry(scout, await createShortlist(scout), athlete.id);
  const errors = async (more: object) => {
    const { status, body } = await scout.post(`${entry}/reports`, report(more));
    expect(status).toBe(422);
    return body.errors.map(({ pointer, code }: { pointer: string; code: string }) => `${code} ${pointer}`);
  };
  expect(await errors({ sport: 'TENNIS' })).toEqual(['other_sport /sport']);
  expect(await errors({ matchId: handball.id })).toEqual(['other_sport /matchId']);
  expect(await errors({ sport: 'FOOTBALL', matchId: handball.id })).toEqual(['other_sport /matchId']);
  expect(await errors({ matchId: hidden.id })).toEqual(['unknown_match /matchId']);
  expect(await errors({ matchId: athlete.id })).toEqual(['unknown_match /matchId']);
  expect(await errors({ date: '2999-01-01' })).toEqual(['in_future /date']);
  expect(await errors({ date: '2005-12-31' })).toEqual(['too_early /date']);
  expect((await scout.post(`${entry}/reports`, report({ date: '2006-01-01', sport: 'FOOTBALL' }))).status).toBe(201);
});

test('the templates name the aspects of each sport, and every aspect can be rated', async () => {
  const { data } = (await platform.anonymous.get('/scouting/report-templates')).body;
  expect(data).toHaveLength(10);
  const sports = data.map(({ sport }: { sport: string }, index: number) => ({ sport, primary: index === 0 }));
  const entry = await addEntry(scout, await createShortlist(scout), (await createAdult(agent, { sports })).id);
  for (const { sport, aspects, scale } of data) {
    const codes = aspects.map(({ code }: { code: string }) => code);
    expect(new Set(codes).size).toBe(codes.length);
    expect(scale[0]).toMatchObject({ to: 10 });
    const rated = aspects.map(({ code }: { code: string }) => ({ code, rating: 5 }));
    const { status, body } = await scout.post(`${entry}/reports`, report({ sport, aspects: rated }));
    expect([status, body.aspects.map(({ code }: { code: string }) => code)]).toEqual([201, codes]);
  }
  const tennis = await platform.anonymous.get('/scouting/report-templates?sport=TENNIS');
  expect(tennis.body.data.map(({ sport }: { sport: string }) => sport)).toEqual(['TENNIS']);
});
