/** Resources that name minors in other members than `athleteId`, and reports about replays: for the role VIEWER and in the access log. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { AdministratorClient } from '../../administrator.ts';
import type { Client } from '../../client.ts';
import { queryRows } from '../../rows.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { playLeague } from '../competitions/leagues.ts';
import { scoring } from '../competitions/scores.ts';
import { createResource, createSeason } from '../competitions/season-fixtures.ts';
import { createAdult } from '../organizations/clubs.ts';
import { createMinor, verifiedAccount } from './minors-fixture.ts';

let platform: TestPlatform;
let owner: Client;
let admin: AdministratorClient;
let viewer: AdministratorClient;
let minor: string;
let ofMinor: Resources;
let ofAdult: Resources;
beforeAll(async () => {
  platform = await openTestPlatform();
  const moderator = await platform.account({ account: 'Moderation', scopes: ['moderation:write'] });
  owner = await verifiedAccount(platform, moderator, 'Academy', { officer: true });
  [admin, viewer] = [await platform.administrator('ADMIN'), await platform.administrator('VIEWER')];
  minor = await createMinor(owner, ['PROFILE'], { displayName: 'Vera Visible' });
  const [{ id: adult }, { id: other }] = [await createAdult(owner), await createAdult(owner)];
  ofMinor = await createResources(minor, other);
  ofAdult = await createResources(adult, other);
  await platform.settled();
});
afterAll(() => platform.close());
beforeEach(async () => {
  await queryRows(platform.database, 'truncate athletes.minor_access');
});

const clip = { title: 'Free kick', kind: 'CLIP', url: 'https://video.example/1' };

/** Resources that name an athlete in an array, next to an adult, or as the one that assists. */
async function createResources(athleteId: string, other: string) {
  const replay = await createResource(owner, '/competitions/replays', { ...clip, athleteId: other });
  const path = `/competitions/replays/${replay.id}`;
  expect((await owner.post(`${path}/tags`, { athleteId })).status).toBe(200);
  expect((await owner.patch(path, { title: 'Vera scores' }, { 'if-match': '*' })).status).toBe(200);
  const { path: season } = await createSeason(owner, { sport: 'TENNIS', type: 'TOURNAMENT' });
  const pair = await createResource(owner, `${season}/participants`, { type: 'PAIR', memberIds: [other, athleteId] });
  const league = await playLeague(owner, ['Heim', 'Gast']);
  const at = scoring(owner, league);
  const { id: matchId } = await at.begun([0, 1]);
  const [home] = (await owner.get(at.path(matchId))).body.participants;
  const players = [{ athleteId, position: 'GK' }, { athleteId: other }];
  const sheet = await owner.send(`${at.path(matchId)}/participants/${home.entryId}/lineup`, {
    method: 'PUT',
    body: JSON.stringify({ players }),
    headers: { 'content-type': 'application/json', 'if-match': '*' },
  });
  expect(sheet.status).toBe(200);
  const goal = { type: 'GOAL', minute: 3, participantId: league.participants[0], athleteId: other, assistId: athleteId };
  const action = await createResource(owner, `${at.path(matchId)}/actions`, goal);
  const report = { subjectType: 'REPLAY', subjectId: replay.id, category: 'OTHER', text: 'This is Vera' };
  return {
    replay: replay.id as string,
    pair: pair.id as string,
    match: matchId,
    action: action.id as string,
    report: (await createResource(owner, '/reports', report)).id as string,
  };
}

type Resources = Awaited<ReturnType<typeof createResources>>;

/** The reads in the log of the minor, as administrator and parts. */
async function logged(): Promise<[string, string[]][]> {
  const { body } = await owner.get(`/athletes/${minor}/access-log`);
  return body.data.map((row: { administratorId: string; parts: string[] }) => [row.administratorId, row.parts]);
}

const audit = 'query ($id: ID!) { auditEntries(filter: { resourceId: $id }) { nodes { withheld reason changes { field } } } }';

async function readAudit(reader: AdministratorClient, id: string): Promise<{ readonly withheld: boolean }[]> {
  const { data, errors } = await reader.run(audit, { id });
  expect(errors).toEqual([]);
  return data.auditEntries.nodes;
}

test.each(['replay', 'pair', 'match', 'action', 'report'] as const)(
  'the audit log of a %s that names a minor next to an adult withholds all values from the role VIEWER',
  async (kind) => {
    const entries = (reader: AdministratorClient, { [kind]: id }: Resources) => readAudit(reader, id);
    const [ofViewer, ofAdmin] = [await entries(viewer, ofMinor), await entries(admin, ofMinor)];
    expect(ofAdmin.length).toBeGreaterThan(0);
    expect(ofViewer).toEqual(ofAdmin.map(() => ({ withheld: true, reason: null, changes: [] })));
    expect(ofAdmin.every(({ withheld }) => !withheld)).toBe(true);
    expect((await entries(viewer, ofAdult)).every(({ withheld }) => !withheld)).toBe(true);
    expect(await logged()).toEqual([[admin.id, ['HISTORY']]]);
  },
);

const reports = `query ($id: ID!, $replay: ID!) {
  report(id: $id) { id text }
  reports(filter: { subjectId: [$replay] }) { nodes { id text } }
}`;
const read = async (reader: AdministratorClient, { report, replay }: Resources) => {
  const { data, errors } = await reader.run(reports, { id: report, replay });
  expect(errors).toEqual([]);
  return data;
};

test('a report about a replay with a minor is recorded, and not readable for the role VIEWER', async () => {
  expect(await read(viewer, ofMinor)).toEqual({ report: null, reports: { nodes: [] } });
  expect(await logged()).toEqual([]);
  expect((await read(viewer, ofAdult)).report).toEqual({ id: ofAdult.report, text: 'This is Vera' });
  const { report, reports: list } = await read(admin, ofMinor);
  expect([report, list.nodes]).toEqual([{ id: ofMinor.report, text: 'This is Vera' }, [report]]);
  expect(await logged()).toEqual([[admin.id, ['REPORTS']]]);
});

test('the reports and the audit log remain unreadable after the tag of the minor was removed', async () => {
  const path = `/competitions/replays/${ofMinor.replay}`;
  const [tag] = (await owner.get(path)).body.tags;
  expect((await owner.delete(`${path}/tags/${tag.id}`, { 'if-match': '*' })).status).toBe(200);
  expect(await read(viewer, ofMinor)).toEqual({ report: null, reports: { nodes: [] } });
  expect((await readAudit(viewer, ofMinor.replay)).every(({ withheld }) => withheld)).toBe(true);
});

test('a report about a deleted replay is not readable for the role VIEWER: the record of its athletes is deleted', async () => {
  expect((await owner.delete(`/competitions/replays/${ofAdult.replay}`, { 'if-match': '*' })).status).toBe(200);
  expect(await read(viewer, ofAdult)).toEqual({ report: null, reports: { nodes: [] } });
  expect((await read(admin, ofAdult)).report).toMatchObject({ id: ofAdult.report });
  expect(await readAudit(viewer, ofAdult.report)).toMatchObject([{ withheld: true, changes: [] }]);
});
