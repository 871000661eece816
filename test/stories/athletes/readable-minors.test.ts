/** Lists about a minor whose restricted profile a caller can read: empty, while those of a hidden athlete are not found. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ApiResponse, Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { createMember } from '../organizations/clubs.ts';
import { consent, createMinor, verifiedAccount } from './minors-fixture.ts';
import { bornFor, createAthlete } from './people.ts';

let platform: TestPlatform;
let owner: Client & { readonly organizationId: string };
let verified: Client;
let other: Client;
let minorId: string;
let consentId: string;
let hiddenId: string;
beforeAll(async () => {
  platform = await openTestPlatform();
  const moderator = await platform.account({ account: 'Moderator', scopes: ['moderation:write'] });
  owner = await verifiedAccount(platform, moderator, 'Owner', { officer: true });
  verified = await verifiedAccount(platform, moderator, 'Verified', { officer: false });
  other = await platform.account({ account: 'Other' });
  minorId = (await createAthlete(owner, { dateOfBirth: bornFor(15, 100), displayName: 'Juno Dale' })).id;
  consentId = await consent(owner, minorId, ['PROFILE']);
  await owner.post(`/athletes/${minorId}/activate`);
  hiddenId = await createMinor(owner, []);
  await createMember(owner, owner.organizationId, minorId);
  await platform.settled();
});
afterAll(() => platform.close());

/** What a caller can compare: without the id and the time of the request, and what the path itself says. */
function comparable({ status, headers, body }: ApiResponse) {
  const changing = ['date', 'x-request-id', 'content-length', 'ratelimit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];
  const { requestId, instance, ...problem } = body;
  expect([typeof requestId, typeof instance]).toEqual(['string', 'string']);
  return { status, problem, headers: [...headers].filter(([name]) => !changing.includes(name)) };
}

describe.each(['memberships', 'results', 'statistics'])('%s', (part) => {
  test('of a readable minor are an empty list for others', async () => {
    for (const reader of [platform.anonymous, other, verified]) {
      expect((await reader.get(`/athletes/${minorId}`)).status).toBe(200);
      const { status, body } = await reader.get(`/athletes/${minorId}/${part}`);
      expect({ status, body }).toMatchObject({ status: 200, body: { data: [], page: { nextCursor: null, hasMore: false } } });
    }
  });
});

describe.each(['memberships', 'results'])('%s', (part) => {
  test('of a readable minor are not stored', async () => {
    for (const reader of [platform.anonymous, other])
      expect((await reader.get(`/athletes/${minorId}/${part}`)).headers.get('cache-control')).toBe('private, no-store');
  });

  test('of a hidden athlete respond like those of an unknown one', async () => {
    for (const reader of [platform.anonymous, other, verified]) {
      const unknown = comparable(await reader.get(`/athletes/${crypto.randomUUID()}/${part}`));
      expect(unknown.status).toBe(404);
      expect(comparable(await reader.get(`/athletes/${hiddenId}/${part}`))).toEqual(unknown);
    }
  });

  test('of a profile for organizations are an empty list for organizations, and not found for others', async () => {
    const { id } = await createAthlete(owner, { dateOfBirth: bornFor(25, 3), visibility: 'ORGANIZATIONS', status: 'ACTIVE' });
    const { status, headers, body } = await verified.get(`/athletes/${id}/${part}`);
    expect({ status, body }).toMatchObject({ status: 200, body: { data: [] } });
    expect(headers.get('cache-control')).toBe('private, no-cache');
    expect((await other.get(`/athletes/${id}/${part}`)).status).toBe(404);
  });
});

test('the owner reads the membership, and a withdrawal of the consent hides the lists again', async () => {
  expect((await owner.get(`/athletes/${minorId}/memberships`)).body.data).toHaveLength(1);
  const graph =
    'query ($id: ID!) { athleteMemberships(athleteId: $id) { nodes { id } } athleteResults(athleteId: $id) { nodes { rank } } }';
  const read = async () => (await other.graphql(graph, { id: minorId })).body.data;
  expect(await read()).toEqual({ athleteMemberships: { nodes: [] }, athleteResults: { nodes: [] } });
  await owner.post(`/athletes/${minorId}/consents/${consentId}/withdraw`, { reason: 'Asked for' });
  expect(await read()).toEqual({ athleteMemberships: null, athleteResults: null });
  for (const part of ['memberships', 'results']) expect((await other.get(`/athletes/${minorId}/${part}`)).status).toBe(404);
});
