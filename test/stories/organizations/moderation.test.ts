/** The moderation queue: pending resources, oldest first, and the permissions of each role. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { AdministratorClient } from '../../administrator.ts';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { createAdult, createClub } from './clubs.ts';
import { bornFor, createAthlete } from '../athletes/people.ts';

let platform: TestPlatform;
let owner: Client;
let moderator: AdministratorClient;
let viewer: AdministratorClient;
beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account({ account: 'Club' });
  moderator = await platform.administrator('MODERATOR');
  viewer = await platform.administrator('VIEWER');
});
afterAll(() => platform.close());

async function list(text: string, filter: object, administrator = moderator): Promise<{ id: string }[]> {
  const { body } = await administrator.graphql(text, { filter });
  expect(body.errors).toBeUndefined();
  const [page] = Object.values<{ nodes: { id: string }[] }>(body.data);
  return page?.nodes ?? [];
}

async function step(administrator: AdministratorClient, verb: string, id: string, more = ''): Promise<string | undefined> {
  const { body } = await administrator.graphql(`mutation ($id: ID!) { ${verb}(id: $id${more}) { id } }`, { id });
  return body.errors?.[0].extensions.code;
}

const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);

describe('organizations', () => {
  const queue = `query ($filter: OrganizationFilter) { organizations(first: 100, sort: CREATED_AT_ASC, filter: $filter) { nodes {
    id name legalName country type status createdAt verification { status method at } } } }`;

  test('without verification are listed oldest first, apart from those with a pending one; drafts are excluded', async () => {
    const [first, second] = [await createClub(owner), await createClub(owner)];
    const { body: draft } = await owner.post('/organizations', {
      type: 'CLUB',
      name: 'Draft',
      country: 'DE',
      sports: ['FOOTBALL'],
    });
    const waiting = { status: ['ACTIVE'], verification: ['UNVERIFIED'] };
    const unverified = ids(await list(queue, waiting));
    expect(unverified.filter((id) => [first.id, second.id, draft.id].includes(id))).toEqual([first.id, second.id]);
    expect(await step(moderator, 'verifyOrganization', first.id, ', method: "Register"')).toBeUndefined();
    await owner.patch(`/organizations/${first.id}`, { name: 'Somebody Else' }, { 'if-match': '*' });
    expect(ids(await list(queue, { ...waiting, verification: ['PENDING'] }, viewer))).toEqual([first.id]);
    expect(ids(await list(queue, waiting))).not.toContain(first.id);
    const visible = await platform.anonymous.graphql('{ organizations(filter: { verification: [PENDING] }) { nodes { id } } }');
    expect(ids(visible.body.data.organizations.nodes)).toEqual([first.id]);
    const hidden = await owner.graphql('{ organizations(filter: { status: [DRAFT] }) { nodes { id } } }');
    expect(hidden.status).toBe(400);
  });

  test('can be verified and suspended by the moderator role only; a viewer decides nothing', async () => {
    const { id } = await createClub(owner);
    expect(await step(viewer, 'verifyOrganization', id)).toBe('insufficient_scope');
    expect(await step(viewer, 'suspendOrganization', id)).toBe('insufficient_scope');
    expect(await step(moderator, 'closeOrganization', id)).toBe('insufficient_scope');
    expect(await step(moderator, 'verifyOrganization', id)).toBeUndefined();
    expect(await step(moderator, 'suspendOrganization', id)).toBeUndefined();
    const input = { input: { name: 'Mine' } };
    const created = await moderator.graphql(
      'mutation ($input: CreateAccountInput!) { createAccount(input: $input) { id } }',
      input,
    );
    expect(created.body.errors[0].extensions.code).toBe('insufficient_scope');
  });
});

test('pending athletes are listed with minors and private profiles, and can be filtered by status', async () => {
  const queue = `query ($filter: AthleteFilter) { athletes(first: 100, sort: CREATED_AT_ASC, filter: $filter) { nodes {
    id displayName age status visibility verification { status method at } } } }`;
  const adult = await createAdult(owner);
  const hidden = await createAdult(owner, { visibility: 'PRIVATE' });
  const minor = await createAthlete(owner, { dateOfBirth: bornFor(14, 3), status: 'ACTIVE' });
  const waiting = { verification: ['UNVERIFIED'] };
  expect(ids(await list(queue, { ...waiting, status: ['ACTIVE'] }))).toEqual([adult.id, hidden.id]);
  const pending = { ...waiting, status: ['PENDING_CONSENT'] };
  expect(ids(await list(queue, pending, moderator))).toEqual([minor.id]);
  // a viewer reads no minors (docs/data-protection.md)
  expect(ids(await list(queue, pending, viewer))).toEqual([]);
});

test('unverified reported statistics are listed oldest first, without computed ones', async () => {
  const queue = `query ($filter: StatisticsFilter) { athleteStatistics(first: 100, sort: UPDATED_AT_ASC, filter: $filter) { nodes {
    id scope sport source verified updatedAt athlete { id displayName } } } }`;
  const { id: athleteId } = await createAdult(owner, { sports: [{ sport: 'SWIMMING' }] });
  const numbers = (source: string, value: number) =>
    owner.post('/athletes/statistics', {
      athleteId,
      scope: 'CAREER',
      sport: 'SWIMMING',
      source,
      metrics: [{ key: 'reactionTimeMs', value }],
    });
  const [selfReported, provided] = [await numbers('SELF_REPORTED', 640), await numbers('PROVIDER', 611)];
  const waiting = { verified: false, source: ['PROVIDER', 'SELF_REPORTED'] };
  expect(ids(await list(queue, waiting))).toEqual([selfReported.body.id, provided.body.id]);
  expect(await step(moderator, 'verifyAthleteStatistics', selfReported.body.id)).toBeUndefined();
  expect(ids(await list(queue, waiting, viewer))).toEqual([provided.body.id]);
});

test('replays with a minor await a moderator, who publishes or removes them', async () => {
  const queue = `query ($filter: ReplayFilter) { replays(first: 100, sort: CREATED_AT_ASC, filter: $filter) { nodes {
    id title kind url status createdAt athlete { id displayName age } } } }`;
  const { id: athleteId } = await createAthlete(owner, { dateOfBirth: bornFor(14, 3) });
  const replay = { athleteId, title: 'Swims', kind: 'CLIP', url: 'https://example.org/film', status: 'PUBLISHED' };
  const [one, two] = [await owner.post('/competitions/replays', replay), await owner.post('/competitions/replays', replay)];
  expect([one.body.status, two.body.status]).toEqual(['REVIEW', 'REVIEW']);
  expect(ids(await list(queue, { status: ['REVIEW'] }, moderator))).toEqual([one.body.id, two.body.id]);
  // the role VIEWER does not read replays of minors that are not public
  expect(ids(await list(queue, { status: ['REVIEW'] }, viewer))).toEqual([]);
  expect(await step(viewer, 'publishReplay', one.body.id)).toBe('insufficient_scope');
  expect(await step(moderator, 'publishReplay', one.body.id)).toBeUndefined();
  expect(await step(moderator, 'takeDownReplay', two.body.id, ', reason: "Not consented"')).toBeUndefined();
  expect(ids(await list(queue, { status: ['REVIEW'] }))).toEqual([]);
  expect(ids(await list(queue, { status: ['PUBLISHED', 'TAKEN_DOWN'] }))).toEqual([one.body.id, two.body.id]);
});
