/** Administrators and minors: each read is in the access log of the owner, and the role VIEWER reads no more than an anonymous caller. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { AdministratorClient } from '../../administrator.ts';
import type { Client } from '../../client.ts';
import { queryRows } from '../../rows.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { addEntry, createShortlist, report } from '../scouting/scouts.ts';
import { createAbsence } from './absences.ts';
import { createMinor, verifiedAccount } from './minors-fixture.ts';

let platform: TestPlatform;
let owner: Client & { readonly organizationId: string };
let admin: AdministratorClient;
let viewer: AdministratorClient;
let hiddenId: string;
let visibleId: string;
let consentId: string;
beforeAll(async () => {
  platform = await openTestPlatform();
  const moderator = await platform.account({ account: 'Moderation', scopes: ['moderation:write'] });
  owner = await verifiedAccount(platform, moderator, 'Academy', { officer: true });
  [admin, viewer] = [await platform.administrator('ADMIN'), await platform.administrator('VIEWER')];
  hiddenId = await createMinor(owner, ['MEDIA'], { displayName: 'Hilda Hidden' });
  visibleId = await createMinor(owner, ['PROFILE'], { displayName: 'Vera Visible' });
  consentId = (await owner.get(`/athletes/${hiddenId}/consents`)).body.data[0].id;
  for (const id of [hiddenId, visibleId]) await createAbsence(owner, id, { kind: 'PERSONAL', reason: 'Knee', disclosure: 'ALL' });
  await platform.settled();
});
afterAll(() => platform.close());
beforeEach(async () => {
  await queryRows(platform.database, 'truncate athletes.minor_access');
});

/** The reads in the log of the owner, as administrator and parts. */
async function logged(id: string): Promise<[string, string[]][]> {
  const { status, body } = await owner.get(`/athletes/${id}/access-log`);
  expect(status).toBe(200);
  return body.data.map((row: { administratorId: string; parts: string[] }) => [row.administratorId, row.parts]);
}

const reads: readonly [string, string, string[]][] = [
  ['the profile by id', 'athlete(id: $id) { displayName }', ['PROFILE']],
  ['the profile by an alias and a node', 'a: athlete(id: $id) { id } b: node(id: $id) { id }', ['PROFILE']],
  ['a list', 'athletes(filter: { ids: [$id] }) { nodes { id } }', ['PROFILE']],
  ['edges of a list', 'athletes(filter: { ids: [$id] }) { edges { node { displayName } } }', ['PROFILE']],
  ['consents', 'athleteConsents(athleteId: $id) { nodes { guardian { name email } } }', ['CONSENTS']],
  ['the access log', 'athleteAccessLog(athleteId: $id) { nodes { accountId } }', ['ACCESS_LOG']],
  ['absences', 'absences(filter: { athleteId: [$id] }) { nodes { reason } }', ['ABSENCES']],
  ['nested absences', 'athlete(id: $id) { absences { nodes { reason } } }', ['ABSENCES', 'PROFILE']],
  ['the export', 'athleteExport(athleteId: $id) { id }', ['EXPORT']],
  [
    'consents of the export',
    'athleteExport(athleteId: $id) { consents { nodes { guardian { name } } } }',
    ['CONSENTS', 'EXPORT'],
  ],
  ['the audit log', 'auditEntries(filter: { resourceId: $id }) { nodes { changes { after } } }', ['HISTORY']],
];

test.each(reads)('%s, read by an administrator, is in the log of the owner', async (_, selection, parts) => {
  const { errors } = await admin.run(`query ($id: ID!) { ${selection} }`, { id: hiddenId });
  expect(errors).toEqual([]);
  expect(await logged(hiddenId)).toEqual([[admin.id, parts]]);
});

test('a consent by id and the history of a consent and an absence are recorded with the athlete', async () => {
  await admin.run('query ($id: ID!, $consent: ID!) { athleteConsent(athleteId: $id, id: $consent) { guardian { name } } }', {
    id: hiddenId,
    consent: consentId,
  });
  expect(await logged(hiddenId)).toEqual([[admin.id, ['CONSENTS']]]);
  const { data } = await admin.run(
    'query ($id: ID!) { auditEntries(filter: { resourceId: $id }) { nodes { changes { after } } } }',
    {
      id: consentId,
    },
  );
  expect(JSON.stringify(data)).toContain('Maria Quillon');
  expect(await logged(hiddenId)).toEqual([[admin.id, ['CONSENTS', 'HISTORY']]]);
});

test('a list with many minors is recorded by one statement, and one row counts the reads of a day', async () => {
  platform.statements();
  await admin.run('{ athletes(first: 100) { nodes { displayName } } }');
  expect(platform.statements().filter((name) => name === 'athletes.recordMinorAccess')).toHaveLength(1);
  await admin.run('{ athletes(first: 100) { nodes { displayName } } }');
  for (const id of [hiddenId, visibleId]) {
    const [row, ...others] = (await owner.get(`/athletes/${id}/access-log`)).body.data;
    expect(others).toEqual([]);
    expect(row).toMatchObject({ reads: 2, scopes: [], keyId: '', accountId: '00000000-0000-0000-0000-000000000000' });
  }
});

test('the role VIEWER reads the restricted profile of a visible minor, and nothing of a hidden one', async () => {
  const profile = 'displayName restricted dateOfBirth absences { nodes { id } }';
  const text = `query ($hidden: ID!, $visible: ID!, $consent: ID!) {
    hidden: athlete(id: $hidden) { ${profile} }
    visible: athlete(id: $visible) { ${profile} }
    node(id: $hidden) { id }
    athletes(first: 100) { nodes { displayName } }
    search: athletes(filter: { q: "Vera" }) { nodes { displayName } }
    consents: athleteConsents(athleteId: $visible) { nodes { id } }
    consent: athleteConsent(athleteId: $hidden, id: $consent) { id }
    log: athleteAccessLog(athleteId: $visible) { nodes { id } }
    exported: athleteExport(athleteId: $visible) { id athlete { id } }
    absences(filter: { athleteId: [$hidden, $visible] }) { nodes { id } }
    statistics: athleteStatistics(filter: { athleteId: [$hidden, $visible] }) { nodes { id } }
  }`;
  const { data, errors } = await viewer.run(text, { hidden: hiddenId, visible: visibleId, consent: consentId });
  expect(errors).toEqual([]);
  expect(data).toMatchObject({
    hidden: null,
    visible: { displayName: 'V. V.', restricted: true, dateOfBirth: null, absences: { nodes: [] } },
    node: null,
    search: { nodes: [] },
    consents: null,
    consent: null,
    log: null,
    exported: null,
    absences: { nodes: [] },
    statistics: { nodes: [] },
  });
  expect(JSON.stringify(data)).not.toMatch(/Hilda|Vera|Maria/);
  for (const id of [hiddenId, visibleId]) expect(await logged(id)).toEqual([]);
});

test('the audit log withholds values about minors from the role VIEWER, in every area', async () => {
  const agency = await platform.account({ account: 'Scouts', scopes: ['scouting:write', 'scouting:read'] });
  const entry = await addEntry(agency, await createShortlist(agency), visibleId, { notes: 'Quick feet' });
  expect((await agency.post(`${entry}/reports`, report())).status).toBe(201);
  await agency.patch(entry, { notes: 'Quicker feet' }, { 'if-match': '*' });
  const text = `query ($filter: AuditFilter) { auditEntries(first: 100, filter: $filter) {
    nodes { resourceType withheld reason changes { field } athlete { displayName } } } }`;
  const read = async (reader: AdministratorClient, filter: object) =>
    (await reader.run(text, { filter })).data.auditEntries.nodes as { withheld: boolean; changes: unknown[] }[];
  const entryId = entry.split('/').at(-1);
  for (const resourceId of [hiddenId, visibleId, consentId, entryId]) {
    const [withheld, complete] = [await read(viewer, { resourceId }), await read(admin, { resourceId })];
    expect(withheld.length).toBeGreaterThan(0);
    expect(withheld.length).toBe(complete.length);
    expect(withheld.map((each) => [each.withheld, each.changes])).toEqual(withheld.map(() => [true, []]));
    expect(complete.some(({ changes }) => changes.length > 0)).toBe(true);
    expect(complete.some((each) => each.withheld)).toBe(false);
  }
  expect((await logged(visibleId)).find(([reader]) => reader === admin.id)?.[1]).toContain('HISTORY');
});

test('the role VIEWER reads no reason of the rejection of a minor, by id and in the list of rejected athletes', async () => {
  const moderator = await platform.administrator('MODERATOR');
  const rejectedId = await createMinor(owner, ['PROFILE'], { displayName: 'Rita Rejected' });
  const reject = 'mutation ($id: ID!) { rejectAthlete(id: $id, reason: "Rita is not Rita") { id } }';
  expect((await moderator.run(reject, { id: rejectedId })).errors).toEqual([]);
  const selection = '{ id displayName moderationReason verification { status method } }';
  const text = `query ($id: ID!) { athlete(id: $id) ${selection}
    athletes(first: 100, filter: { verification: [REJECTED] }) { nodes ${selection} } }`;
  const hidden = { id: rejectedId, displayName: 'R. R.', moderationReason: null };
  const ofViewer = await viewer.run(text, { id: rejectedId });
  expect(ofViewer.errors).toEqual([]);
  expect(ofViewer.data).toEqual({
    athlete: { ...hidden, verification: { status: 'REJECTED', method: null } },
    athletes: { nodes: [ofViewer.data.athlete] },
  });
  const ofAdmin = await admin.run(text, { id: rejectedId });
  expect(ofAdmin.data.athlete.moderationReason).toBe('Rita is not Rita');
  expect((await owner.get(`/athletes/${rejectedId}`)).body.moderationReason).toBe('Rita is not Rita');
});

test('a decision of a moderator is a read of the minor', async () => {
  const moderator = await platform.administrator('MODERATOR');
  const text = 'mutation ($id: ID!) { verifyAthlete(id: $id, method: "Call") { verification { status } } }';
  expect((await moderator.run(text, { id: visibleId })).errors).toEqual([]);
  expect(await logged(visibleId)).toEqual([[moderator.id, ['PROFILE']]]);
});
