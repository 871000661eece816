/** Reports: accounts report resources that are visible to them, moderators decide, and the account reads the result. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { openDatabase, sql } from '../../../platform/database/database.ts';
import { areaRole } from '../../../platform/database/roles.ts';
import type { AdministratorClient } from '../../administrator.ts';
import type { ApiResponse, Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { createAdult, createClub } from '../organizations/clubs.ts';

let platform: TestPlatform;
let owner: Client;
let reader: Client;
let other: Client;
let moderator: AdministratorClient;
let viewer: AdministratorClient;
beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account({ account: 'Club' });
  reader = await platform.account({ account: 'Reader', plan: 'free', scopes: [] });
  other = await platform.account({ account: 'Other' });
  moderator = await platform.administrator('MODERATOR');
  viewer = await platform.administrator('VIEWER');
});
afterAll(() => platform.close());

/** Runs a document of the admin schema. */
const send = async (administrator: AdministratorClient, text: string, variables: Record<string, unknown> = {}) =>
  (await administrator.graphql(text, variables)).body;

const about = (subjectId: string, more: object = {}) => ({
  subjectType: 'ORGANIZATION',
  subjectId,
  category: 'IMPERSONATION',
  text: 'This is not us.',
  ...more,
});

async function reported(subjectId: string, more: object = {}, by = reader): Promise<string> {
  const response = await by.post('/reports', about(subjectId, more));
  expect([response.status, response.body.code]).toEqual([201, undefined]);
  return response.body.id;
}

const resolve = (administrator: AdministratorClient, verb: 'uphold' | 'dismiss', id: string, note?: string) =>
  send(administrator, `mutation ($id: ID!, $note: String) { ${verb}Report(id: $id, note: $note) { status note } }`, { id, note });

const summaryOf = ({ status, body }: ApiResponse) => [status, body.code, body.errors?.[0]?.pointer];

describe('a report', () => {
  test('can be created with any key on the free plan without scopes, and read only by its account', async () => {
    const { id: clubId } = await createClub(owner);
    const created = await reader.post('/reports', about(clubId));
    expect(created.status).toBe(201);
    expect(created.headers.get('location')).toBe(`/api/v1/reports/${created.body.id}`);
    expect(created.headers.get('cache-control')).toContain('no-store');
    expect(created.body).toMatchObject({ ...about(clubId), version: 1, status: 'OPEN', note: null, resolvedAt: null });
    const { id } = created.body;
    expect((await reader.get(`/reports/${id}`)).body).toEqual(created.body);
    expect((await reader.get('/reports?status=OPEN')).body.data).toContainEqual(created.body);
    expect((await other.get(`/reports/${id}`)).status).toBe(404);
    expect((await other.get('/reports')).body.data).toEqual([]);
    expect((await platform.anonymous.get(`/reports/${id}`)).body.code).toBe('api_key_missing');
    expect((await platform.anonymous.post('/reports', about(clubId))).body.code).toBe('api_key_missing');
  });

  test('about a hidden resource is rejected like one about an unknown resource', async () => {
    const { body: draft } = await owner.post('/organizations', {
      type: 'CLUB',
      name: 'Draft',
      country: 'DE',
      sports: ['FOOTBALL'],
    });
    const rejections = await Promise.all([draft.id, randomUUID()].map((id) => reader.post('/reports', about(id))));
    for (const rejection of rejections) expect(summaryOf(rejection)).toEqual([422, 'validation_failed', '/subjectId']);
    expect(rejections[0]?.body.errors).toEqual(rejections[1]?.body.errors);
    // an athlete's ID is not an organization's ID
    const athlete = await createAdult(owner);
    expect((await reader.post('/reports', about(athlete.id))).status).toBe(422);
    await reported(athlete.id, { subjectType: 'ATHLETE' });
  });

  test('is unique until it is resolved; a repeated Idempotency-Key returns the first response', async () => {
    const { id: clubId } = await createClub(owner);
    const key = { 'idempotency-key': randomUUID() };
    const first = await reader.post('/reports', about(clubId), key);
    const repeated = await reader.post('/reports', about(clubId), key);
    expect([repeated.status, repeated.headers.get('idempotent-replayed'), repeated.body]).toEqual([201, 'true', first.body]);
    expect((await reader.post('/reports', about(clubId, { text: 'Again' }))).body.code).toBe('conflict');
    await reported(clubId, { category: 'ABUSE' });
    await reported(clubId, {}, other);
    await resolve(moderator, 'dismiss', first.body.id, 'It is them.');
    await reported(clubId);
  });

  test('requires a text, a valid type and a valid category', async () => {
    for (const violation of [
      { text: '' },
      { text: 'x'.repeat(2001) },
      { category: 'RUDE' },
      { subjectType: 'TEAM' },
      { subjectId: 'x' },
    ])
      expect([400, 422]).toContain((await reader.post('/reports', about(randomUUID(), violation))).status);
  });

  test('is rejected above 100 open reports, even with concurrent requests', async () => {
    const { id: clubId } = await createClub(owner);
    const many = await platform.account({ account: 'Many', scopes: [] });
    const [{ body: me }, { id: first }] = [await many.get('/me'), await createClub(owner)];
    const accounts = openDatabase({ url: platform.database.urlAs(areaRole('accounts')), name: 'test' });
    await accounts.query(sql`/* test.reports */ insert into report (account_id, subject_type, subject_id, category, text)
      select ${me.account.id}, 'ORGANIZATION', gen_random_uuid(), 'ABUSE', 'Many' from generate_series(1, 98)`);
    await accounts.close();
    const at = ['IMPERSONATION', 'ABUSE', 'COPYRIGHT', 'OTHER'];
    const replies = await Promise.all(at.map((category) => many.post('/reports', about(first, { category }))));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409]);
    expect(summaryOf(await many.post('/reports', about(clubId)))).toEqual([409, 'conflict', undefined]);
  });
});

describe('a moderator', () => {
  const queue = `query ($filter: ReportFilter) { reports(first: 100, filter: $filter, sort: CREATED_ASC) { nodes {
    id category text account { name } organization { id name } athlete { id displayName } opportunity { id } replay { id } competition { id } } } }`;

  test('reads the queue with reporting accounts and subjects, oldest first', async () => {
    const club = await createClub(owner);
    const athlete = await createAdult(owner);
    const ids = [await reported(club.id), await reported(athlete.id, { subjectType: 'ATHLETE', category: 'MINOR_SHOWN' })];
    for (const administrator of [moderator, viewer]) {
      const { data, errors } = await send(administrator, queue, {
        filter: { status: ['OPEN'], category: ['IMPERSONATION', 'MINOR_SHOWN'] },
      });
      expect(errors).toBeUndefined();
      const found = data.reports.nodes.filter(({ id }: { id: string }) => ids.includes(id));
      expect(found).toMatchObject([
        { id: ids[0], account: { name: 'Reader' }, organization: { id: club.id }, athlete: null },
        { id: ids[1], organization: null, athlete: { id: athlete.id }, opportunity: null, replay: null, competition: null },
      ]);
    }
    const { data } = await send(viewer, queue, { filter: { subjectType: ['ATHLETE'], subjectId: athlete.id } });
    expect(data.reports.nodes.map(({ id }: { id: string }) => id)).toEqual([ids[1]]);
  });

  test.each([
    ['uphold', 'UPHELD'],
    ['dismiss', 'DISMISSED'],
  ] as const)('can %s a report once; the account reads the note, and the audit log contains the action', async (verb, status) => {
    const { id: clubId } = await createClub(owner);
    const id = await reported(clubId);
    const done = await resolve(moderator, verb, id, 'Looked at it.');
    expect(done.errors).toBeUndefined();
    expect((await reader.get(`/reports/${id}`)).body).toMatchObject({ status, note: 'Looked at it.', version: 2 });
    const repeated = await resolve(moderator, 'dismiss', id);
    expect(repeated.errors[0].extensions).toMatchObject({ code: 'invalid_transition', state: status, allowedTransitions: [] });
    const log = `query ($id: ID!) { auditEntries(filter: { resourceId: $id }) { nodes { action actor { kind administrator { id } } } } }`;
    const { data } = await send(viewer, log, { id });
    expect(data.auditEntries.nodes).toEqual([
      { action: verb, actor: { kind: 'ADMINISTRATOR', administrator: { id: moderator.id } } },
      { action: 'created', actor: { kind: 'KEY', administrator: null } },
    ]);
  });

  test('needs the role: viewers and keys cannot resolve reports', async () => {
    const { id: clubId } = await createClub(owner);
    const id = await reported(clubId);
    expect((await resolve(viewer, 'dismiss', id)).errors[0].extensions.code).toBe('insufficient_scope');
    const key = await platform.account({ account: 'Moderation', scopes: ['moderation:write'] });
    const { body } = await key.graphql('mutation ($id: ID!) { dismissReport(id: $id) { status } }', { id });
    expect(body.errors[0].message).toContain('dismissReport');
    expect((await reader.get(`/reports/${id}`)).body.status).toBe('OPEN');
  });
});

test('reports about an erased athlete are deleted, including their data in the audit log', async () => {
  const { id: athleteId } = await createAdult(owner);
  const id = await reported(athleteId, { subjectType: 'ATHLETE', text: 'Zephyrine is twelve.' });
  await resolve(moderator, 'dismiss', id, 'Zephyrine is an adult.');
  await owner.post(`/athletes/${athleteId}/erase`, {});
  await platform.settled();
  expect((await reader.get(`/reports/${id}`)).status).toBe(404);
  const log = `query ($id: ID!) { auditEntries(filter: { resourceId: $id }) { nodes { action changes { field } } } }`;
  const { data } = await send(viewer, log, { id });
  expect(data.auditEntries.nodes).toEqual(['deleted', 'dismiss', 'created'].map((action) => ({ action, changes: [] })));
});

test('reports about a merged profile move to the remaining one, without duplicate open reports', async () => {
  const facts = { dateOfBirth: '1998-07-08' };
  const [first, second] = [await createAdult(owner, facts), await createAdult(owner, facts)];
  const both = { subjectType: 'ATHLETE', category: 'ABUSE' };
  const existing = await reported(first.id, both);
  const duplicate = await reported(second.id, both);
  const moved = await reported(second.id, { ...both, category: 'COPYRIGHT' });
  const merge = 'mutation ($id: ID!, $intoId: ID!) { mergeAthlete(id: $id, input: { intoId: $intoId }) { id } }';
  expect((await send(moderator, merge, { id: second.id, intoId: first.id })).errors).toBeUndefined();
  await platform.settled();
  const responses = await Promise.all([existing, moved, duplicate].map((id) => reader.get(`/reports/${id}`)));
  expect(responses.map(({ status, body }) => [status, body.subjectId])).toEqual([
    [200, first.id],
    [200, first.id],
    [404, undefined],
  ]);
});
