/** The export returns all data about an athlete to the owner only. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openDatabase, sql } from '../../../platform/database/database.ts';
import { createLog } from '../../../platform/log.ts';
import { areaRole } from '../../../platform/database/roles.ts';
import { createGraphCaller, type Graph } from '../../../schema/entry-point.ts';
import { ANONYMOUS, type Viewer } from '../../../schema/viewer.ts';
import type { Subgraph } from '../../../subgraphs/runtime/subgraph.ts';
import { openArea } from '../../../wiring/area.ts';
import type { ApiResponse, Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { createMember } from '../organizations/clubs.ts';
import { holdMeet } from '../competitions/meets.ts';
import { createMinor, verifiedAccount } from './minors-fixture.ts';
import { addEntry, createContactRequest, createShortlist, report } from '../scouting/scouts.ts';
import { tablesWith } from '../competitions/tables.ts';

let platform: TestPlatform;
let owner: Client & { readonly organizationId: string };
let agency: Client & { readonly organizationId: string };
let moderator: Client;
beforeAll(async () => {
  platform = await openTestPlatform();
  moderator = await platform.account({ account: 'Moderation', scopes: ['moderation:write'] });
  owner = await verifiedAccount(platform, moderator, 'Academy', { officer: true });
  agency = await verifiedAccount(platform, moderator, 'Agency', { officer: true, scopes: ['minors:read'] });
});
afterAll(() => platform.close());

test('contains the profile, consents, access log, history, statistics, absences, memberships, matches, results, replays, ratings and contact requests', async () => {
  const swims = [{ sport: 'SWIMMING' }];
  const id = await createMinor(owner, ['PROFILE', 'CONTACT'], {
    displayName: 'Juno Dale',
    sports: swims,
    dateOfBirth: '2011-05-06',
  });
  const { id: membership } = await createMember(owner, owner.organizationId, id);
  const numbers = { scope: 'CAREER', sport: 'SWIMMING', source: 'PROVIDER', metrics: [{ key: 'reactionTimeMs', value: 611 }] };
  expect((await owner.post('/athletes/statistics', { athleteId: id, ...numbers })).status).toBe(201);
  const injury = { athleteId: id, kind: 'INJURY', startDate: '2026-09-01', reason: 'Broken finger' };
  expect((await owner.post('/athletes/absences', injury)).status).toBe(201);
  const meet = await holdMeet(owner, new Map([['a', id]]), {}, { eventCode: '50_FREE', course: 'LONG' }, ['a']);
  const matchId = await meet.swims({ a: 2400 });
  const film = { athleteId: id, title: 'Free', kind: 'CLIP', url: 'https://example.org/1' };
  const { body: replay } = await owner.post('/competitions/replays', film);
  expect((await agency.get(`/athletes/${id}`)).status).toBe(200);
  const scout = await platform.account({ account: 'Scout' });
  const entry = await addEntry(scout, await createShortlist(scout, { name: 'Targets' }), id, { notes: 'Our secret' });
  expect((await scout.post(`${entry}/reports`, report())).status).toBe(201);
  await createContactRequest(scout, id);
  await platform.settled();

  const { status, headers, body } = await owner.get(`/athletes/${id}/export?limit=100`);
  expect({ status, body }).toMatchObject({
    status: 200,
    body: {
      id,
      athlete: { id, displayName: 'Juno Dale', dateOfBirth: '2011-05-06', externalIds: [{ scheme: 'TEST' }] },
      consents: { data: [{ guardian: { name: 'Maria Quillon' }, scopes: ['CONTACT', 'PROFILE'] }], page: { hasMore: false } },
      accessLog: { data: [{ reads: 1 }] },
      absences: { data: [{ kind: 'INJURY', reason: 'Broken finger' }] },
      memberships: { data: [{ id: membership }] },
      matches: { data: [{ id: matchId }] },
      results: { data: [{ mark: { value: 24_000 } }] },
      replays: { data: [{ id: replay.id }] },
      prospect: null,
      shortlists: 1,
      ratings: { data: [report()] },
      contactRequests: { data: [{ status: 'SENT', message: 'May we meet?' }] },
    },
  });
  expect(JSON.stringify(body)).not.toMatch(/Targets|Our secret|IDENTIFIED/);
  expect(headers.get('cache-control')).toBe('private, no-store');
  const sources = new Set(body.statistics.data.map(({ source }: { source: string }) => source));
  expect(sources).toEqual(new Set(['COMPUTED', 'PROVIDER']));
  const recordedActions = body.history.data.map(
    ({ resourceType, action }: Record<string, string>) => `${resourceType} ${action}`,
  );
  expect(recordedActions).toEqual(
    expect.arrayContaining(['athlete created', 'consent created', 'statistics created', 'absence created', 'athlete activate']),
  );
  expect(body.history.data.flatMap(({ changes }: { changes: unknown[] }) => changes)).toContainEqual({
    member: 'displayName',
    before: 'null',
    after: '"Juno Dale"',
  });

  // each part is paginated with its own cursor
  const paged: string[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const response: ApiResponse = await owner.get(`/athletes/${id}/export?limit=2${cursor && `&historyCursor=${cursor}`}`);
    paged.push(...response.body.history.data.map((entry: { id: string }) => entry.id));
    cursor = response.body.history.page.nextCursor;
  }
  expect(paged).toEqual(body.history.data.map((entry: { id: string }) => entry.id));

  for (const reader of [agency, moderator, platform.anonymous]) {
    expect((await reader.get(`/athletes/${id}/export`)).body).toMatchObject({ status: 404, code: 'not_found' });
    const graph = 'query ($id: ID!) { athleteExport(athleteId: $id) { memberships { nodes { id } } history { nodes { id } } } }';
    expect((await reader.graphql(graph, { id })).body).toEqual({ data: { athleteExport: null } });
  }
});

test('includes the data of a merged duplicate', async () => {
  const before = await verifiedAccount(platform, moderator, 'Before', { officer: true });
  const born = { dateOfBirth: '2011-05-06' };
  const second = await createMinor(before, ['PROFILE'], { displayName: 'Zephyrine Dale', knownAs: 'Vindemiatrix', ...born });
  const first = await createMinor(owner, ['PROFILE'], { displayName: 'Zephy Dale', ...born });
  expect((await agency.get(`/athletes/${second}`)).body.displayName).toBe('Zephyrine Dale');
  const since = new Date(Date.now() - 60_000).toISOString();
  expect((await moderator.post(`/athletes/${second}/merge`, { intoId: first })).status).toBe(200);
  await platform.settled();

  expect(await tablesWith(platform.database, ['Zephyrine', 'Vindemiatrix'])).toEqual([]);
  const mine = (await before.get(`/athletes?mine=true&limit=100&updatedSince=${since}`)).body;
  expect(mine).toMatchObject({ data: [], tombstones: [{ id: second, deleted: true }] });
  const { body } = await owner.get(`/athletes/${first}/export?limit=100`);
  expect(body.athlete.displayName).toBe('Zephy Dale');
  const given = body.consents.data.map(({ scopes, effective }: Record<string, unknown>) => ({ scopes, effective }));
  expect(given).toEqual([true, false].map((effective) => ({ scopes: ['PROFILE'], effective })));
  expect(body.accessLog.data).toMatchObject([{ reads: 1 }]);
  const ofSecond = body.history.data.filter(({ resourceId }: { resourceId: string }) => resourceId === second);
  expect(ofSecond.map(({ action }: { action: string }) => action)).toEqual(expect.arrayContaining(['created', 'merge']));
  expect((await before.get(`/athletes/${second}/export`)).status).toBe(404);

  expect((await owner.post(`/athletes/${first}/erase`)).status).toBe(200);
  await platform.settled();
  expect(await tablesWith(platform.database, ['Zephy', 'Vindemiatrix'])).toEqual([]);
});

test('is complete on the host of another sport, where consents and the access log apply too', async () => {
  const id = await createMinor(owner, ['PROFILE']);
  const numbers = { athleteId: id, source: 'PROVIDER', scope: 'CAREER' };
  const goals = await owner.post('/athletes/statistics', {
    ...numbers,
    sport: 'FOOTBALL',
    metrics: [{ key: 'goals', value: 2 }],
  });
  const aces = await owner.post('/athletes/statistics', { ...numbers, sport: 'TENNIS', metrics: [{ key: 'aces', value: 3 }] });
  expect([goals.status, aces.status]).toEqual([201, 201]);
  const database = openDatabase({ url: platform.database.ownerUrl, name: 'test-accounts', poolSize: 1 });
  const keyOf = async (organizationId: string): Promise<Viewer> => {
    const [row] = await database.query<{ accountId: string }>(
      sql`/* test.account */ select account_id as "accountId" from organizations.organization where id = ${organizationId}`,
    );
    return { ...ANONYMOUS, kind: 'KEY', accountId: row?.accountId ?? null, scopes: ['minors:read'], sport: 'TENNIS' };
  };
  const [mine, theirs] = [await keyOf(owner.organizationId), await keyOf(agency.organizationId)];
  await database.close();
  const send = async (viewer: Viewer, query: string, variables: Readonly<Record<string, unknown>> = { id }) =>
    area.query({ query, variables, viewer, operationName: null, requestId: 'test', signal: undefined });
  const graphAs = (viewer: Viewer): Graph => {
    return createGraphCaller(async (query, variables) => (await send(viewer, query, variables)).data ?? {});
  };
  const log = createLog({ name: 'test', level: 'error' });
  const { secrets } = platform.database;
  const databaseUrl = platform.database.urlAs(areaRole('athletes'));
  const area: Subgraph = await openArea('athletes', { databaseUrl, secrets, log, graphAs });

  const list = 'query ($id: ID!) { athleteStatistics(filter: { athleteId: [$id] }) { nodes { id } } }';
  expect((await send(theirs, list)).data).toEqual({ athleteStatistics: { nodes: [{ id: aces.body.id }] } });
  const exported = `query ($id: ID!) { athleteExport(athleteId: $id) {
    athlete { displayName } consents { nodes { effective } } accessLog { nodes { reads } } statistics { nodes { id } } } }`;
  const { data, errors } = await send(mine, exported);
  await area.close();
  expect({ data, errors }).toMatchObject({
    errors: undefined,
    data: {
      athleteExport: {
        athlete: { displayName: 'Juno Dale' },
        consents: { nodes: [{ effective: true }] },
        accessLog: { nodes: [{ reads: 1 }] },
        statistics: { nodes: expect.arrayContaining([{ id: goals.body.id }, { id: aces.body.id }]) },
      },
    },
  });
});
