/** Best marks, rankings over 52 weeks, brackets and team standings through the public APIs. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { holdMeet } from './meets.ts';
import { createResource, createTestAthlete, createSeason, createTeam } from './season-fixtures.ts';

let platform: TestPlatform;
let owner: Client;
let swimmers: Map<string, string>;
beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account({ account: 'Federation' });
  swimmers = new Map();
  for (const name of ['Ada', 'Bea', 'Cleo', 'Dora']) swimmers.set(name, (await createTestAthlete(owner, name)).id);
  swimmers.set('Eve', (await createTestAthlete(owner, 'Eve', { birthYear: 1999, status: 'ACTIVE', visibility: 'PRIVATE' })).id);
});
afterAll(() => platform.close());

interface Row {
  readonly position: number | null;
  readonly shared: boolean;
  readonly participant: { readonly id: string; readonly athlete: { readonly displayName: string } | null } | null;
  readonly mark: { readonly display: string } | null;
}

const rows = async (query: string, client: Client = platform.anonymous): Promise<Row[]> => {
  const { status, body } = await client.get(`/competitions/rankings?${query}`);
  expect([status, body.detail]).toEqual([200, undefined]);
  return body.data as Row[];
};
const ranks = (of: readonly Row[]): string =>
  of
    .map(({ position, shared, participant, mark }) =>
      `${position ?? '-'}${shared ? '=' : ''} ${participant?.athlete?.displayName ?? '?'} ${mark?.display ?? ''}`.trim(),
    )
    .join(', ');

const meet = (competition: object, contest: object, names: readonly string[]) =>
  holdMeet(owner, swimmers, competition, contest, names);

const list = 'sport=SWIMMING&eventCode=100_FREE&category=WOMEN';

describe('the best marks of an event', () => {
  test('are those of public athletes over all published seasons, without gaps for hidden athletes', async () => {
    const first = await meet({}, { eventCode: '100_FREE', course: 'LONG_COURSE' }, ['Ada', 'Bea', 'Cleo', 'Eve']);
    await first.swims({ Ada: 5400, Bea: 5500, Cleo: 5500, Eve: 5300 });
    const second = await meet({}, { eventCode: '100_FREE', course: 'LONG_COURSE' }, ['Bea', 'Dora']);
    const race = await second.swims({ Bea: 5450, Dora: 5500 });
    const draft = await meet({ status: 'DRAFT' }, { eventCode: '100_FREE', course: 'LONG_COURSE' }, ['Dora']);
    await draft.swims({ Dora: 5000 });
    const short = await meet({}, { eventCode: '100_FREE', course: 'SHORT_COURSE' }, ['Dora']);
    await short.swims({ Dora: 5250 });

    expect(ranks(await rows(`${list}&course=LONG_COURSE`))).toBe(
      [...['Cleo', 'Dora'].toSorted((one, other) => ((swimmers.get(one) ?? '') < (swimmers.get(other) ?? '') ? -1 : 1))].reduce(
        (text, name) => `${text}, 3= ${name} 55.00`,
        '1 Ada 54.00, 2 Bea 54.50',
      ),
    );
    expect(ranks(await rows(`${list}&course=SHORT_COURSE`))).toBe('1 Dora 52.50');
    expect(ranks(await rows('sport=SWIMMING&eventCode=100_FREE'))).toBe('1 Dora 52.50, 2 Ada 54.00, 3 Bea 54.50, 4 Cleo 55.00');
    const pages: Row[] = [];
    let cursor = '';
    for (let page = 0; page < 4; page += 1) {
      const { body } = await platform.anonymous.get(`/competitions/rankings?${list}&course=LONG_COURSE&limit=1${cursor}`);
      pages.push(...body.data);
      cursor = `&cursor=${body.page.nextCursor}`;
    }
    expect(pages).toEqual(await rows(`${list}&course=LONG_COURSE`));

    // A correction makes the best mark worse, so the former one counts again.
    const slower = [
      { participantId: second.entered.get('Bea'), mark: { value: 60_000 } },
      { participantId: second.entered.get('Dora'), invalidResultMark: 'DSQ' },
    ];
    expect(
      (await owner.post(`/competitions/matches/${race}/result/correct`, { reason: 'Timing', participants: slower })).status,
    ).toBe(200);
    expect(ranks(await rows(`${list}&course=LONG_COURSE`))).toMatch(/^1 Ada 54.00, 2= (Bea|Cleo) 55.00, 2= (Bea|Cleo) 55.00$/);
    await owner.post(`/competitions/${draft.competition.id}/publish`);
    expect(ranks(await rows(`${list}&course=LONG_COURSE`))).toMatch(/^1 Dora 50.00, 2 Ada 54.00, /);
    await owner.patch(`/athletes/${swimmers.get('Dora')}`, { visibility: 'PRIVATE' }, { 'if-match': '*' });
    expect(ranks(await rows(`${list}&course=LONG_COURSE`))).toMatch(/^1 Ada 54.00, /);
    await owner.patch(`/athletes/${swimmers.get('Dora')}`, { visibility: 'PUBLIC' }, { 'if-match': '*' });
  });

  test('of short tracks have a list of their own, and those of Para contests have none', async () => {
    const athletics = { sport: 'ATHLETICS' };
    const indoor = await meet(athletics, { eventCode: '300M', course: 'SHORT_TRACK' }, ['Ada', 'Bea']);
    await indoor.swims({ Ada: 3650, Bea: 3700 });
    const outdoor = await meet(athletics, { eventCode: '300M' }, ['Ada']);
    await outdoor.swims({ Ada: 3600 });
    const para = await meet(athletics, { eventCode: '300M', sportClass: 'T44' }, ['Cleo']);
    await para.swims({ Cleo: 3500 });
    const list300 = 'sport=ATHLETICS&eventCode=300M&category=WOMEN';
    expect(ranks(await rows(`${list300}&course=SHORT_TRACK`))).toBe('1 Ada 36.50, 2 Bea 37.00');
    expect(ranks(await rows(list300))).toBe('1 Ada 36.00, 2 Bea 37.00');
    const ranking = await rows(`contestId=${para.event.id}`);
    expect(ranks(ranking)).toMatch(/^1 Cleo 35.00/);
    const contest = (await platform.anonymous.get(`${para.path}/contests/${para.event.id}`)).body;
    expect(contest.sportClass).toBe('T44');
  });

  test('of a contest are in its ranking, with vacated places and without names of hidden swimmers', async () => {
    const { event, swims } = await meet({}, { eventCode: '50_FREE' }, ['Ada', 'Bea', 'Eve']);
    await swims({ Ada: { mark: { value: 25_000 }, vacated: true }, Bea: 2600, Eve: 2700 });
    const contest = await rows(`contestId=${event.id}`);
    expect(ranks(contest.slice(0, 3))).toBe('1 ?, 2 Bea 26.00, 3 ? 27.00');
    expect(contest[0]).toMatchObject({
      vacated: true,
      participant: null,
      match: null,
      mark: null,
      contest: { eventCode: '50_FREE' },
      stage: null,
    });
    expect(contest).toHaveLength(6);
    expect(contest[3]).toMatchObject({ stage: { type: 'FINAL' } });
    platform.statements();
    await rows(`contestId=${event.id}&limit=99`);
    expect(platform.statements().filter((name) => name.startsWith('rankings') || name.startsWith('participants'))).toEqual([
      'rankings.list',
      'participants.byIds',
    ]);
  });
});

describe('a ranking over 52 weeks', () => {
  test('counts the best results of all seasons of a competition at a date', async () => {
    const rules = { ruleSet: 'TENNIS', best: 2 };
    const tour = await meet({ name: 'Tour', rankingRules: rules }, { eventCode: '200_FREE' }, ['Ada', 'Bea']);
    await tour.swims(
      { Ada: { mark: { value: 120_000 }, points: 100 }, Bea: { mark: { value: 121_000 }, points: 60 } },
      '2026-09-01',
    );
    await tour.swims(
      { Ada: { mark: { value: 120_000 }, points: 10 }, Bea: { mark: { value: 121_000 }, points: 60 } },
      '2026-10-01',
    );
    const now = await rows(`competitionId=${tour.competition.id}&asOf=2026-10-01`);
    expect(now).toMatchObject([
      { method: 'ROLLING_52W', position: 1, points: 120, previousPosition: 2, participant: { athlete: { displayName: 'Bea' } } },
      {
        position: 2,
        points: 110,
        previousPosition: 1,
        countingResults: [{ points: 100, from: '2026-09-01', dropsOn: '2027-08-31' }, { points: 10 }],
      },
    ]);
    expect(await rows(`competitionId=${tour.competition.id}&asOf=2027-08-31`)).toMatchObject([{ points: 60 }, { points: 10 }]);
    expect(await rows(`competitionId=${tour.competition.id}&asOf=2026-08-01`)).toEqual([]);
  });
});

describe('a knock-out', () => {
  test('is a bracket with winners, reasons and the champion', async () => {
    const cup = await createSeason(owner, { name: 'Pokal', type: 'CUP' });
    const ids: string[] = [];
    for (const name of ['Rot', 'Blau', 'Grün', 'Gelb']) {
      const team = await createTeam(owner, `${name} Pokal`);
      ids.push((await createResource(owner, `${cup.path}/participants`, { type: 'TEAM', teamId: team.id, name })).id);
    }
    const stage = await createResource(owner, `${cup.path}/stages`, { name: 'Knock-out', type: 'KNOCKOUT' });
    const play = (round: string, participants: object[], result?: object) =>
      createResource(owner, '/competitions/matches', {
        seasonId: cup.season.id,
        stageId: stage.id,
        round,
        participants,
        ...(result ? { status: 'FINISHED', result } : {}),
      });
    const official = (one: string, other: string, of: object, theirs: object, duration = 'REGULAR') => ({
      status: 'OFFICIAL',
      duration,
      participants: [
        { participantId: one, ...of },
        { participantId: other, ...theirs },
      ],
    });
    const [rot = '', blau = '', gruen = '', gelb = ''] = ids;
    const first = await play(
      'Semi-final',
      [{ participantId: rot }, { participantId: blau }],
      official(rot, blau, { score: 2 }, { score: 1 }),
    );
    const second = await play(
      'Semi-final',
      [{ participantId: gruen }, { participantId: gelb }],
      official(gruen, gelb, { score: 1, shootoutScore: 3 }, { score: 1, shootoutScore: 4 }, 'PENALTY_SHOOTOUT'),
    );
    const waits = (match: { id: string }, outcome: string) => ({ placeholder: { sourceMatchId: match.id, outcome } });
    await play('Final', [waits(first, 'WINNER'), waits(second, 'WINNER')]);
    const { status, body } = await platform.anonymous.get(`${cup.path}/bracket`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      season: { id: cup.season.id },
      champion: null,
      rounds: [
        { number: 1, name: 'Semi-final' },
        { number: 2, name: 'Final' },
      ],
    });
    expect(body.rounds[0].ties).toMatchObject([
      { tieId: first.id, advanced: { id: rot }, decidedBy: 'SCORE', aggregate: [2, 1], matches: [{ id: first.id }] },
      { tieId: second.id, advanced: { id: gelb }, decidedBy: 'PENALTY_SHOOTOUT', shootoutScores: [3, 4] },
    ]);
    expect(body.rounds[1].ties[0].slots).toMatchObject([
      { participant: { name: 'Rot' }, sourceTieId: first.id, sourceOutcome: 'WINNER' },
      { participant: { name: 'Gelb' }, sourceTieId: second.id },
    ]);
    expect((await platform.anonymous.get(`/competitions/seasons/${crypto.randomUUID()}/bracket`)).status).toBe(404);
    expect((await platform.anonymous.get(`${cup.path}/bracket?contestId=${crypto.randomUUID()}`)).status).toBe(404);
  });
});

describe('a team', () => {
  test('has its rows in the tables of its seasons, latest first', async () => {
    const [home, away] = [await createTeam(owner, 'Heim'), await createTeam(owner, 'Gast')];
    for (const goals of [1, 2]) {
      const { season, path } = await createSeason(owner);
      const sides: string[] = [];
      for (const team of [home, away])
        sides.push((await createResource(owner, `${path}/participants`, { type: 'TEAM', teamId: team.id })).id);
      const participants = sides.map((participantId, index) => ({ participantId, side: index === 0 ? 'HOME' : 'AWAY' }));
      const result = {
        status: 'OFFICIAL',
        participants: sides.map((participantId, index) => ({ participantId, score: index === 0 ? goals : 0 })),
      };
      await createResource(owner, '/competitions/matches', { seasonId: season.id, participants, status: 'FINISHED', result });
    }
    const standings = `query ($id: ID!, $first: Int!, $after: String) { team(id: $id) { standings(first: $first, after: $after) {
      nodes { position points scoreFor stage { type } participant { team { id } } } pageInfo { hasNextPage endCursor } } } }`;
    const { body } = await platform.anonymous.graphql(standings, { id: home.id, first: 1 });
    expect(body.errors).toBeUndefined();
    const page = body.data.team.standings;
    expect(page).toMatchObject({
      nodes: [{ position: 1, points: 3, stage: { type: 'LEAGUE' }, participant: { team: { id: home.id } } }],
      pageInfo: { hasNextPage: true },
    });
    const { body: rest } = await platform.anonymous.graphql(standings, { id: home.id, first: 5, after: page.pageInfo.endCursor });
    expect(rest.data.team.standings.nodes).toHaveLength(1);
    const both = [...page.nodes, ...rest.data.team.standings.nodes].map(({ scoreFor }: { scoreFor: number }) => scoreFor);
    expect(both.toSorted()).toEqual([1, 2]);
  });
});
