/** Rows of other areas about minors: reads by administrators are in the access log, and the role VIEWER does not read them. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { AdministratorClient } from '../../administrator.ts';
import type { Client } from '../../client.ts';
import { createAdult } from '../organizations/clubs.ts';
import { queryRows } from '../../rows.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { createMinor, verifiedAccount } from './minors-fixture.ts';
import { createRowsAbout, type RowsAbout } from './minors-in-areas.ts';

let platform: TestPlatform;
let owner: Client;
let admin: AdministratorClient;
let viewer: AdministratorClient;
let ofMinor: RowsAbout;
let ofAdult: RowsAbout;
beforeAll(async () => {
  platform = await openTestPlatform();
  const moderator = await platform.account({ account: 'Moderation', scopes: ['moderation:write'] });
  owner = await verifiedAccount(platform, moderator, 'Academy', { officer: true });
  const scout = await verifiedAccount(platform, moderator, 'Scouts', { officer: true });
  [admin, viewer] = [await platform.administrator('ADMIN'), await platform.administrator('VIEWER')];
  const minorId = await createMinor(owner, ['PROFILE', 'CONTACT', 'PROFILING'], { displayName: 'Vera Visible' });
  const { id: adultId } = await createAdult(owner, { displayName: 'Ada Adult' });
  ofMinor = await createRowsAbout(owner, scout, minorId);
  ofAdult = await createRowsAbout(owner, scout, adultId);
  await platform.settled();
});
afterAll(() => platform.close());
beforeEach(async () => {
  await queryRows(platform.database, 'truncate athletes.minor_access');
});

/** The reads in the log of the owner, as administrator and parts. */
async function logged({ athleteId }: RowsAbout): Promise<[string, string[]][]> {
  const { status, body } = await owner.get(`/athletes/${athleteId}/access-log`);
  expect(status).toBe(200);
  return body.data.map((row: { administratorId: string; parts: string[] }) => [row.administratorId, row.parts]);
}

const variables = `$athleteId: ID!, $shortlistId: ID!, $entryId: ID!, $scoutingReportId: ID!, $contactRequestId: ID!, $reportId: ID!,
  $opportunityId: ID!, $applicationId: ID!, $organizationId: ID!, $membershipId: ID!, $transferId: ID!, $seasonId: ID!,
  $participantId: ID!, $replayId: ID!`;

/** Runs a selection of root fields with the ids of rows. Variables that it does not use are not declared. */
async function run(reader: AdministratorClient, selection: string, rows: RowsAbout) {
  const declared = variables.split(',').filter((each) => selection.includes(each.trim().split(':')[0] ?? ''));
  const { data, errors } = await reader.run(`query (${declared.join(', ')}) { ${selection} }`, { ...rows });
  expect(errors).toEqual([]);
  return data;
}

const ids = '{ nodes { id } }';
const entryPath = 'shortlistId: $shortlistId, entryId: $entryId';

/** A read, the part that the log has, and the ids that the response has for readers of the row. */
const reads: readonly [string, string, string, keyof RowsAbout][] = [
  ['a shortlist entry', 'read: shortlistEntry(shortlistId: $shortlistId, id: $entryId) { id notes }', 'SCOUTING', 'entryId'],
  ['the entries of a shortlist', `read: shortlistEntries(shortlistId: $shortlistId) ${ids}`, 'SCOUTING', 'entryId'],
  ['the entries in a shortlist', `read: shortlist(id: $shortlistId) { entries ${ids} }`, 'SCOUTING', 'entryId'],
  ['edges of entries', 'read: shortlistEntries(shortlistId: $shortlistId) { edges { node { id } } }', 'SCOUTING', 'entryId'],
  [
    'a scouting report',
    `read: scoutingReport(${entryPath}, id: $scoutingReportId) { id summary }`,
    'SCOUTING',
    'scoutingReportId',
  ],
  ['scouting reports', `read: scoutingReports(${entryPath}) ${ids}`, 'SCOUTING', 'scoutingReportId'],
  ['a contact request', 'read: contactRequest(id: $contactRequestId) { id message }', 'SCOUTING', 'contactRequestId'],
  ['an application', 'read: application(id: $applicationId) { id answers { answer } }', 'APPLICATIONS', 'applicationId'],
  ['a replay as a node', 'read: node(id: $replayId) { id }', 'COMPETITIONS', 'replayId'],
  [
    'the applications of an opportunity',
    `read: opportunity(id: $opportunityId) { applications ${ids} }`,
    'APPLICATIONS',
    'applicationId',
  ],
  ['a membership', 'read: membership(id: $membershipId) { id role }', 'MEMBERSHIPS', 'membershipId'],
  [
    'memberships',
    `read: memberships(filter: { athleteId: [$athleteId], status: [ENDED] }) ${ids}`,
    'MEMBERSHIPS',
    'membershipId',
  ],
  ['a transfer', 'read: transfer(id: $transferId) { id }', 'TRANSFERS', 'transferId'],
  ['transfers', `read: transfers(filter: { athleteId: [$athleteId] }) ${ids}`, 'TRANSFERS', 'transferId'],
  ['a report to the moderators', 'read: report(id: $reportId) { id text }', 'REPORTS', 'reportId'],
  ['reports to the moderators', `read: reports(filter: { subjectId: [$athleteId] }) ${ids}`, 'REPORTS', 'reportId'],
  ['a replay that is not public', 'read: replay(id: $replayId) { id url }', 'COMPETITIONS', 'replayId'],
  ['replays of an athlete', `read: replays(filter: { athleteId: [$athleteId] }) ${ids}`, 'COMPETITIONS', 'replayId'],
];

describe.each(reads)('%s', (_, selection, part, id) => {
  test('of a minor is in the log of the owner when an administrator reads it', async () => {
    expect(JSON.stringify(await run(admin, selection, ofMinor))).toContain(ofMinor[id]);
    expect(await logged(ofMinor)).toEqual([[admin.id, [part]]]);
  });

  test('of a minor is not readable for the role VIEWER, which reads that of an adult', async () => {
    expect(JSON.stringify(await run(viewer, selection, ofMinor))).not.toContain(ofMinor[id]);
    expect(JSON.stringify(await run(viewer, selection, ofAdult))).toContain(ofAdult[id]);
    expect(await logged(ofMinor)).toEqual([]);
    expect(await logged(ofAdult)).toEqual([]);
  });
});

test('the members of an organization are recorded, and lack minors for the role VIEWER', async () => {
  const selection = `organizationMembers(organizationId: $organizationId) ${ids}
    organization(id: $organizationId) { members ${ids} }`;
  const lists = async (reader: AdministratorClient, rows: RowsAbout) => {
    const { organizationMembers, organization } = await run(reader, selection, rows);
    return [organizationMembers.nodes.length, organization.members.nodes.length];
  };
  expect(await lists(admin, ofMinor)).toEqual([1, 1]);
  expect(await logged(ofMinor)).toEqual([[admin.id, ['MEMBERSHIPS']]]);
  expect(await lists(viewer, ofMinor)).toEqual([0, 0]);
  expect(await lists(viewer, ofAdult)).toEqual([1, 1]);
});

test('a restricted profile has no memberships, transfers and scores for the role VIEWER', async () => {
  const selection = `athlete(id: $athleteId) { displayName memberships ${ids} transfers ${ids} results { nodes { rank } } replays ${ids} }
    opportunityMatches(athleteId: [$athleteId], opportunityId: [$opportunityId]) { nodes { score } }`;
  const none = { nodes: [] };
  expect(await run(viewer, selection, ofMinor)).toEqual({
    athlete: { displayName: 'V. V.', memberships: none, transfers: none, results: none, replays: none },
    opportunityMatches: none,
  });
});

test('the number of entries of a shortlist does not count minors for the role VIEWER', async () => {
  const selection = 'shortlist(id: $shortlistId) { entryCount }';
  expect((await run(admin, selection, ofMinor)).shortlist.entryCount).toBe(1);
  expect((await run(viewer, selection, ofMinor)).shortlist.entryCount).toBe(0);
  expect((await run(viewer, selection, ofAdult)).shortlist.entryCount).toBe(1);
});

test('the external ids of a participant are recorded, and empty for the role VIEWER, which finds no minor by them', async () => {
  const selection = 'participant(seasonId: $seasonId, id: $participantId) { externalIds { value } }';
  const value = ({ athleteId }: RowsAbout) => `participant-${athleteId}`;
  expect((await run(admin, selection, ofMinor)).participant.externalIds).toEqual([{ value: value(ofMinor) }]);
  expect(await logged(ofMinor)).toEqual([[admin.id, ['COMPETITIONS']]]);
  expect((await run(viewer, selection, ofMinor)).participant.externalIds).toEqual([]);
  expect((await run(viewer, selection, ofAdult)).participant.externalIds).toEqual([{ value: value(ofAdult) }]);
  const text = (rows: RowsAbout) => `participants(filter: { externalId: "FEED:${value(rows)}" }) ${ids}`;
  expect((await viewer.run(`{ ${text(ofMinor)} }`)).data.participants.nodes).toEqual([]);
  expect((await viewer.run(`{ ${text(ofAdult)} }`)).data.participants.nodes).toHaveLength(1);
});

test.each(['scoutingReportId', 'contactRequestId', 'applicationId', 'membershipId', 'transferId', 'reportId'] as const)(
  'the audit log of %s withholds values about minors from the role VIEWER',
  async (id) => {
    const text = `query ($id: ID!) { auditEntries(filter: { resourceId: $id }) { nodes { withheld changes { field } } } }`;
    const entries = async (reader: AdministratorClient, rows: RowsAbout) =>
      (await reader.run(text, { id: rows[id] })).data.auditEntries.nodes;
    const [ofViewer, ofAdmin] = [await entries(viewer, ofMinor), await entries(admin, ofMinor)];
    expect(ofViewer.length).toBeGreaterThan(0);
    expect(ofViewer).toEqual(ofAdmin.map(() => ({ withheld: true, changes: [] })));
    expect(JSON.stringify(await entries(viewer, ofAdult))).not.toContain('"withheld":true');
    expect(await logged(ofMinor)).toEqual([[admin.id, ['HISTORY']]]);
  },
);

test('a list with several minors is recorded by one statement', async () => {
  platform.statements();
  await admin.run(`{ memberships(first: 100, filter: { status: [ACTIVE, ENDED] }) ${ids} transfers(first: 100) ${ids} }`);
  expect(platform.statements().filter((name) => name === 'athletes.recordMinorAccess')).toHaveLength(2);
});

test('reads by accounts cost no statement in the athletes area', async () => {
  platform.statements();
  const { status } = await owner.get(`/organizations/memberships/${ofMinor.membershipId}`);
  expect(status).toBe(200);
  expect(platform.statements().filter((name) => /recordMinorAccess|unreadableSubjects/.test(name))).toEqual([]);
});

test('rows about a minor that was hidden later are not readable for the role VIEWER', async () => {
  const [{ id: consentId }] = (await owner.get(`/athletes/${ofMinor.athleteId}/consents`)).body.data;
  const withdrawn = await owner.post(`/athletes/${ofMinor.athleteId}/consents/${consentId}/withdraw`, { reason: 'Test' });
  expect(withdrawn.status).toBe(200);
  for (const [, selection, , id] of reads)
    expect(JSON.stringify(await run(viewer, selection, ofMinor))).not.toContain(ofMinor[id]);
  expect(await logged(ofMinor)).toEqual([]);
});
