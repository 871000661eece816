/** Events and counts of the role VIEWER: they do not reveal that a hidden minor exists. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { AdministratorClient } from '../../administrator.ts';
import type { Client } from '../../client.ts';
import { createAdult } from '../organizations/clubs.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { createMinor, verifiedAccount } from './minors-fixture.ts';
import { createRowsAbout, type RowsAbout } from './minors-in-areas.ts';

let platform: TestPlatform;
let owner: Client;
let admin: AdministratorClient;
let viewer: AdministratorClient;
let ofMinor: RowsAbout;
let ofAdult: RowsAbout;
let privateMinor: string;
let consentId: string;
beforeAll(async () => {
  platform = await openTestPlatform();
  const moderator = await platform.account({ account: 'Moderation', scopes: ['moderation:write'] });
  owner = await verifiedAccount(platform, moderator, 'Academy', { officer: true });
  const scout = await verifiedAccount(platform, moderator, 'Scouts', { officer: true });
  [admin, viewer] = [await platform.administrator('ADMIN'), await platform.administrator('VIEWER')];
  const minorId = await createMinor(owner, ['PROFILE', 'CONTACT', 'PROFILING'], { displayName: 'Hilda Hidden' });
  privateMinor = await createMinor(owner, ['PROFILE'], { visibility: 'PRIVATE' });
  const { id: adultId } = await createAdult(owner, { displayName: 'Ada Adult' });
  ofMinor = await createRowsAbout(owner, scout, minorId);
  ofAdult = await createRowsAbout(owner, scout, adultId);
  [{ id: consentId }] = (await owner.get(`/athletes/${minorId}/consents`)).body.data;
  const withdrawn = await owner.post(`/athletes/${minorId}/consents/${consentId}/withdraw`, { reason: 'Test' });
  expect(withdrawn.status).toBe(200);
  await platform.settled();
});
afterAll(() => platform.close());

const privateRows = ({ entryId, scoutingReportId, contactRequestId, reportId, applicationId }: RowsAbout) => [
  entryId,
  scoutingReportId,
  contactRequestId,
  reportId,
  applicationId,
];
const checkedRows = ({ athleteId, membershipId, transferId, replayId }: RowsAbout) => [
  athleteId,
  membershipId,
  transferId,
  replayId,
];

interface Entry {
  readonly id: string;
  readonly resource: { readonly id: string };
}

/** The log of a reader, from all pages. */
async function logOf(reader: AdministratorClient): Promise<Entry[]> {
  const entries: Entry[] = [];
  let after: string | null = null;
  do {
    const { data, errors } = await reader.run(
      `query ($after: String) { eventLog(first: 100, after: $after) { nodes { id resource { id } } edges { node { id } }
        pageInfo { nextCursor } } }`,
      { after },
    );
    expect(errors).toEqual([]);
    const { nodes, edges, pageInfo } = data.eventLog;
    expect(edges.map(({ node }: { node: Entry }) => node.id)).toEqual(nodes.map(({ id }: Entry) => id));
    entries.push(...nodes);
    after = pageInfo.nextCursor;
  } while (after !== null);
  return entries;
}

const resourcesOf = (entries: readonly Entry[]): Set<string> => new Set(entries.map(({ resource }) => resource.id));

test('the event log has events about minors for administrators that read minors, and not for the role VIEWER', async () => {
  const [ofAdmin, ofViewer] = [resourcesOf(await logOf(admin)), resourcesOf(await logOf(viewer))];
  const aboutMinors = [...privateRows(ofMinor), ...checkedRows(ofMinor), consentId, privateMinor];
  expect(aboutMinors.filter((id) => !ofAdmin.has(id))).toEqual([]);
  expect(aboutMinors.filter((id) => ofViewer.has(id))).toEqual([]);
  expect(checkedRows(ofAdult).filter((id) => !ofViewer.has(id))).toEqual([]);
  expect(ofViewer.has(ofMinor.organizationId)).toBe(true);
});

test('events about minors are not readable for the role VIEWER by id, by resource and in the feed', async () => {
  const text = `query ($event: ID!, $id: ID!) { event(id: $event) { id }
    eventLog(filter: { resourceId: $id }) { nodes { id } } events(filter: { resourceId: [$id] }) { nodes { id } } }`;
  const entries = await logOf(admin);
  for (const id of [...privateRows(ofMinor), ...checkedRows(ofMinor), consentId]) {
    const event = entries.find(({ resource }) => resource.id === id)?.id;
    const read = async (reader: AdministratorClient) => (await reader.run(text, { event, id })).data;
    expect(await read(viewer)).toEqual({ event: null, eventLog: { nodes: [] }, events: { nodes: [] } });
    expect((await read(admin)).event).toEqual({ id: event });
  }
});

test('counts of moderation queues have no minors for the role VIEWER', async () => {
  for (const athleteId of [ofAdult.athleteId, privateMinor]) {
    const metrics = [{ key: 'reactionTimeMs', value: 640 }];
    const statistics = { athleteId, scope: 'CAREER', sport: 'SWIMMING', source: 'SELF_REPORTED', metrics };
    const { status, body } = await owner.post('/athletes/statistics', statistics);
    expect({ status, body }).toMatchObject({ status: 201 });
  }
  const text = '{ athleteReviewCounts { athletes statistics } replayReviewCount openReportCount }';
  expect((await admin.run(text)).data).toEqual({
    athleteReviewCounts: { athletes: 2, statistics: 2 },
    replayReviewCount: 0,
    openReportCount: 2,
  });
  expect((await viewer.run(text)).data).toEqual({
    athleteReviewCounts: { athletes: 1, statistics: 1 },
    replayReviewCount: null,
    openReportCount: null,
  });
});
