/** Filters by several ids: a list of both is the union of the lists of each, and hidden ids match nothing. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { openSeveralIds, type SeveralIds } from './several-ids-data.ts';

let platform: TestPlatform;
let data: SeveralIds;
beforeAll(async () => {
  platform = await openTestPlatform();
  data = await openSeveralIds(platform);
});
afterAll(() => platform.close());

type Member = keyof SeveralIds['first'];
type Hidden = keyof SeveralIds['hidden'];
type Account = keyof SeveralIds['clients'];

/** A list, its filters with the resource whose ids they take, the filters that can name a hidden resource, and the account that reads. */
interface List {
  readonly path: string;
  readonly filters: Readonly<Record<string, Member>>;
  readonly hidden?: Readonly<Record<string, Hidden>>;
  readonly account?: Account;
  /** The account that can read what is hidden from the other one. */
  readonly insider?: Account;
}

const season = { seasonId: 'season', contestId: 'contest', stageId: 'stage', participantId: 'participant' } as const;
const counted = {
  filters: { athleteId: 'athlete', matchId: 'match', seasonId: 'season', competitionId: 'competition', teamId: 'team' },
  hidden: { athleteId: 'athlete', teamId: 'team' },
} as const;
const members = {
  filters: { athleteId: 'athlete', organizationId: 'club', teamId: 'team' },
  hidden: { athleteId: 'athlete', organizationId: 'club', teamId: 'team' },
} as const;

const lists: readonly List[] = [
  {
    path: '/competitions/matches?',
    filters: { ...season, athleteId: 'athlete', teamId: 'team', competitionId: 'competition' },
    hidden: { athleteId: 'athlete', teamId: 'team' },
  },
  {
    path: '/competitions/results?',
    filters: { ...season, athleteId: 'athlete', teamId: 'team' },
    hidden: { athleteId: 'athlete', teamId: 'team' },
  },
  { path: '/competitions/seasons?', filters: { competitionId: 'competition' } },
  { path: '/competitions?', filters: { organizerId: 'club' }, hidden: { organizerId: 'club' } },
  {
    path: '/competitions/replays?',
    filters: { matchId: 'match', seasonId: 'season', athleteId: 'athlete' },
    hidden: { athleteId: 'athlete' },
  },
  { path: '/athletes/statistics?', ...counted },
  { path: '/athletes/statistics?metric=goals&sort=best&', ...counted },
  { path: '/athletes/statistics?metric=goals&sort=value&scope=MATCH&', ...counted },
  { path: '/athletes?', filters: { organizationId: 'club' }, hidden: { organizationId: 'club' } },
  { path: '/athletes/absences?', ...members },
  { path: '/athletes/absences?', filters: { competitionId: 'competition' } },
  { path: '/organizations/memberships?', ...members },
  { path: '/organizations/teams?', filters: { organizationId: 'club' }, hidden: { organizationId: 'club' } },
  {
    path: '/organizations/transfers?',
    filters: { athleteId: 'mover', organizationId: 'club', teamId: 'team' },
    hidden: { athleteId: 'athlete', organizationId: 'club', teamId: 'team' },
  },
  { path: '/organizations/transfers?direction=IN&', filters: { organizationId: 'club', teamId: 'team' } },
  { path: '/opportunities?', filters: { organizationId: 'club' } },
  {
    path: '/opportunities/applications?',
    filters: { opportunityId: 'opportunity', athleteId: 'applicant' },
    hidden: { athleteId: 'applicant' },
    account: 'owner',
    insider: 'agent',
  },
  { path: '/opportunities/applications?side=APPLICANT&', filters: { athleteId: 'applicant' }, account: 'agent' },
  { path: '/scouting/contact-requests?', filters: { athleteId: 'applicant' }, account: 'scout' },
  {
    path: '/scouting/reports?',
    filters: { athleteId: 'applicant', shortlistId: 'shortlist', matchId: 'match' },
    account: 'scout',
  },
  { path: '/reports?', filters: { subjectId: 'club' }, account: 'scout' },
  {
    path: '/events?',
    filters: { competitionId: 'competition', organizationId: 'club', resourceId: 'match' },
    account: 'scout',
  },
];

const rows = lists.flatMap(({ filters, hidden = {}, account = 'anonymous', insider = 'owner', ...list }) =>
  Object.entries(filters).map(([parameter, member]) => ({
    ...list,
    parameter,
    member,
    hidden: hidden[parameter],
    account,
    insider,
  })),
);

async function idsOf(account: Account, path: string, parameter: string, ids: readonly string[]): Promise<string[]> {
  const { status, body } = await data.clients[account].get(`${path}limit=100&${parameter}=${ids.join(',')}`);
  expect({ path, parameter, status, errors: body.errors }).toEqual({ path, parameter, status: 200, errors: undefined });
  return body.data.map(({ id }: { id: string }) => id);
}

describe.each(rows)('$path$parameter', ({ path, parameter, member, hidden, account, insider }) => {
  const list = (...ids: readonly string[]): Promise<string[]> => idsOf(account, path, parameter, ids);
  const values = (): [string, string] => [data.first[member], data.second[member]];

  test('of two ids returns what matches one of them, in one order', async () => {
    const [one, other] = values();
    const [first, second, both] = [await list(one), await list(other), await list(one, other)];
    expect([first.length, second.length]).not.toContain(0);
    expect(both.toSorted()).toEqual([...first, ...second].toSorted());
    expect(both.filter((id) => first.includes(id))).toEqual(first);
    expect(await list(other, one, other)).toEqual(both);
    expect(await list(one, crypto.randomUUID())).toEqual(first);
  });

  test('takes at most 20 ids', async () => {
    const many = Array.from({ length: 21 }, () => crypto.randomUUID());
    const { status, body } = await data.clients[account].get(`${path}${parameter}=${many.join(',')}`);
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { code: 'parameter_invalid', errors: [{ parameter, detail: 'must have 1 to 20 items' }] },
    });
    expect(await list(...many.slice(1))).toEqual([]);
  });

  if (hidden !== undefined)
    test('leaves out a hidden id, as an unknown one', async () => {
      const [one, other] = values();
      const secret = data.hidden[hidden];
      expect(await idsOf(insider, path, parameter, [secret])).not.toEqual([]);
      expect(await list(secret)).toEqual([]);
      expect(await list(one, secret)).toEqual(await list(one));
      expect(await list(one, secret, other)).toEqual(await list(one, other));
    });
});

describe('a leaderboard', () => {
  test.each(['seasonId', 'competitionId'] as const)(
    'of several values of %s has shared ranks, also across pages',
    async (parameter) => {
      const member = parameter === 'seasonId' ? 'season' : 'competition';
      const query = `metric=goals&sort=best&scope=MATCH&${parameter}=${data.first[member]},${data.second[member]}`;
      const page = async (more: string) => (await platform.anonymous.get(`/athletes/statistics?${query}${more}`)).body;
      const places = (rowsOfPage: readonly { id: string; rank: number }[]) => rowsOfPage.map(({ id, rank }) => [id, rank]);
      const whole = places((await page('')).data);
      expect(whole.map(([, rank]) => rank)).toEqual([1, 1]);
      const first = await page('&limit=1');
      const second = await page(`&limit=1&cursor=${first.page.nextCursor}`);
      expect([...places(first.data), ...places(second.data)]).toEqual(whole);
      expect(second.page.nextCursor).toBeNull();
    },
  );
});

describe('participants', () => {
  const seasons = (...ids: readonly string[]) =>
    platform.anonymous.graphql(
      `query ($ids: [ID!]) { participants(first: 100, filter: { seasonId: $ids }) { nodes { id season { id } } } }`,
      { ids },
    );

  test('of several seasons are those of the seasons that the viewer can read', async () => {
    const { first, second, clients } = data;
    const draft = await clients.owner.post('/competitions', { name: 'Draft', sport: 'FOOTBALL', type: 'LEAGUE' });
    const dates = { name: '2026/27', startDate: '2026-08-01', endDate: '2027-05-30' };
    const secret = (await clients.owner.post('/competitions/seasons', { ...dates, competitionId: draft.body.id })).body.id;
    const { body } = await seasons(first.season, secret, second.season);
    const found: { id: string; season: { id: string } }[] = body.data.participants.nodes;
    expect(new Set(found.map((each) => each.season.id))).toEqual(new Set([first.season, second.season]));
    expect(found).toHaveLength(4);
    expect((await seasons(secret)).body.data.participants).toBeNull();
    expect((await seasons(secret)).body).toEqual((await seasons(crypto.randomUUID())).body);
  });

  test('of a season are found by several teams, without hidden ones', async () => {
    const { first, second, hidden, clients } = data;
    const path = `/competitions/seasons/${first.season}/participants`;
    const added = await clients.owner.post(path, { type: 'TEAM', teamId: second.team });
    const secret = await clients.owner.post(path, { type: 'TEAM', teamId: hidden.team });
    expect([added.status, secret.status]).toEqual([201, 201]);
    const found = async (...ids: readonly string[]) => {
      const { body } = await platform.anonymous.get(`${path}?teamId=${ids.join(',')}`);
      return body.data.map(({ id }: { id: string }) => id);
    };
    expect(await found(first.team, second.team, hidden.team)).toEqual([first.participant, added.body.id]);
    expect(await found(hidden.team)).toEqual([]);
  });
});

test('a GraphQL filter takes one id as a literal or in a list, and no variable of the type ID', async () => {
  const { season: id } = data.first;
  const literal = await platform.anonymous.graphql(`{ matches(filter: { seasonId: "${id}" }) { nodes { id } } }`);
  expect(literal.body.data.matches.nodes).toHaveLength(1);
  const listed = 'query ($id: ID!) { matches(filter: { seasonId: [$id] }) { nodes { id } } }';
  expect((await platform.anonymous.graphql(listed, { id })).body).toEqual(literal.body);
  const scalar = await platform.anonymous.graphql(listed.replace('[$id]', '$id'), { id });
  expect([scalar.status, scalar.body.errors?.length]).toEqual([400, 1]);
});
