/** Requests of partners to the operator, and announcements of the operator. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openDatabase, sql } from '../../../platform/database/database.ts';
import { areaRole } from '../../../platform/database/roles.ts';
import { createMember } from '../../member.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await openTestPlatform();
});
afterAll(() => platform.close());

const createRequest =
  'mutation ($plan: String!) { createPlanRequest(plan: $plan, note: "We grow.") { id status requestedBy plan { code } } }';

test('an owner requests a plan, an administrator grants it, and keys and new keys get it', async () => {
  const owner = await createMember(platform);
  const { createOwnKey } = await owner.run('mutation { createOwnKey(input: { name: "server" }) { apiKey { id } } }');
  const { createPlanRequest } = await owner.run(createRequest, { plan: 'starter' });
  expect(createPlanRequest).toMatchObject({ status: 'OPEN', plan: { code: 'starter' } });
  expect(await owner.codeOf(createRequest, { plan: 'pro' })).toBe('conflict');

  const administrator = await platform.administrator('ADMIN');
  const queue = `query ($accountId: ID!) {
    openRequestCounts { planRequests }
    planRequests(filter: { status: [OPEN], accountId: $accountId }) { nodes { id note account { id } requestedBy } }
  }`;
  const { data } = await administrator.run(queue, { accountId: owner.accountId });
  expect(data.openRequestCounts.planRequests).toBeGreaterThan(0);
  expect(data.planRequests.nodes).toEqual([
    { id: createPlanRequest.id, note: 'We grow.', account: { id: owner.accountId }, requestedBy: createPlanRequest.requestedBy },
  ]);
  const grant = 'mutation ($id: ID!) { grantPlanRequest(id: $id, reason: "Welcome") { status decidedBy { id } } }';
  const granted = await administrator.run(grant, { id: createPlanRequest.id });
  expect(granted.data.grantPlanRequest).toEqual({ status: 'GRANTED', decidedBy: { id: administrator.id } });
  expect((await administrator.run(grant, { id: createPlanRequest.id })).errors[0].extensions.code).toBe('invalid_transition');

  const read = await owner.run(
    `query ($id: ID!) { ownKey(id: $id) { plan { code } } member { plan { code } scopes }
      planRequests { nodes { status reason decidedAt } } }`,
    { id: createOwnKey.apiKey.id },
  );
  expect(read).toMatchObject({
    ownKey: { plan: { code: 'starter' } },
    member: { plan: { code: 'starter' } },
    planRequests: { nodes: [{ status: 'GRANTED', reason: 'Welcome' }] },
  });
  expect(read.member.scopes).toContain('athletes:write');
});

test('a grant without keys applies to the first key', async () => {
  const owner = await createMember(platform);
  const { createPlanRequest } = await owner.run(createRequest, { plan: 'pro' });
  await platform.administer('mutation ($id: ID!) { grantPlanRequest(id: $id) { id } }', { id: createPlanRequest.id });
  const { createOwnKey } = await owner.run('mutation { createOwnKey(input: { name: "server" }) { apiKey { plan { code } } } }');
  expect(createOwnKey.apiKey.plan.code).toBe('pro');
});

test('requests are declined with a reason or withdrawn, and are private to the account', async () => {
  const [owner, other] = [await createMember(platform), await createMember(platform)];
  const first = (await owner.run(createRequest, { plan: 'pro' })).createPlanRequest.id;
  await platform.administer('mutation ($id: ID!) { declinePlanRequest(id: $id, reason: "Too early") { id } }', { id: first });
  const second = (await owner.run(createRequest, { plan: 'pro' })).createPlanRequest.id;
  const withdraw = 'mutation ($id: ID!) { withdrawPlanRequest(id: $id) { status } }';
  expect(await other.codeOf(withdraw, { id: second })).toBe('not_found');
  expect(
    await other.run('query ($id: ID!) { planRequest(id: $id) { id } planRequests { nodes { id } } }', { id: second }),
  ).toEqual({
    planRequest: null,
    planRequests: { nodes: [] },
  });
  expect(await owner.run(withdraw, { id: second })).toEqual({ withdrawPlanRequest: { status: 'WITHDRAWN' } });
  expect(await owner.codeOf(createRequest, { plan: 'unknown' })).toBe('validation_failed');
  expect(await owner.codeOf(createRequest, { plan: 'free' })).toBe('conflict');
});

test('an owner requests the verification of an own organization, which is granted after the organization is verified', async () => {
  const owner = await createMember(platform);
  const key = (
    await platform.administer('mutation ($input: IssueApiKeyInput!) { issueApiKey(input: $input) { key } }', {
      input: { accountId: owner.accountId, plan: 'plenty', scopes: ['organizations:write'] },
    })
  )['issueApiKey'] as { key: string };
  const organization = await platform.anonymous.post(
    '/organizations',
    { name: 'FC Verified', type: 'CLUB', country: 'DE', sports: ['FOOTBALL'], status: 'ACTIVE' },
    { 'x-api-key': key.key },
  );
  expect([organization.status, organization.body.errors]).toEqual([201, undefined]);
  const { id } = organization.body;
  const request =
    'mutation ($input: CreateVerificationRequestInput!) { createVerificationRequest(input: $input) { id links organization { name } } }';
  const input = { organizationId: id, note: 'Register of clubs', links: ['https://example.com/register.pdf'] };
  const stranger = await createMember(platform);
  expect(await stranger.codeOf(request, { input })).toBe('validation_failed');
  for (const link of ['javascript:alert(1)', 'http://example.com', 'https://user:secret@example.com', 'nothing'])
    expect([link, await owner.codeOf(request, { input: { ...input, links: [link] } })]).toEqual([link, 'validation_failed']);
  const created = (await owner.run(request, { input })).createVerificationRequest;
  expect(created).toMatchObject({ links: input.links, organization: { name: 'FC Verified' } });
  expect(await owner.codeOf(request, { input })).toBe('conflict');

  const moderator = await platform.administrator('MODERATOR');
  const grant = 'mutation ($id: ID!) { grantVerificationRequest(id: $id) { status } }';
  expect((await moderator.run(grant, { id: created.id })).errors[0].extensions.code).toBe('conflict');
  const verify = 'mutation ($id: ID!) { verifyOrganization(id: $id, method: "register") { id } }';
  expect((await moderator.run(verify, { id })).errors).toEqual([]);
  expect((await moderator.run(grant, { id: created.id })).data.grantVerificationRequest).toEqual({ status: 'GRANTED' });
});

test('an account has at most 100 open verification requests, even with concurrent requests', async () => {
  const owner = await createMember(platform);
  const issue = 'mutation ($input: IssueApiKeyInput!) { issueApiKey(input: $input) { key } }';
  const input = { accountId: owner.accountId, plan: 'plenty', scopes: ['organizations:write'] };
  const { key } = Object((await platform.administer(issue, { input }))['issueApiKey']);
  const ids = await Promise.all(
    ['One', 'Two', 'Three', 'Four'].map(async (name) => {
      const club = { name: `FC ${name}`, type: 'CLUB', country: 'DE', sports: ['FOOTBALL'], status: 'ACTIVE' };
      return (await platform.anonymous.post('/organizations', club, { 'x-api-key': key })).body.id;
    }),
  );
  const accounts = openDatabase({ url: platform.database.urlAs(areaRole('accounts')), name: 'test' });
  await accounts.query(sql`/* test.verificationRequests */
    insert into verification_request (account_id, organization_id, requested_by)
    select ${owner.accountId}, gen_random_uuid(), 'test' from generate_series(1, 98)`);
  await accounts.close();
  const request = 'mutation ($id: ID!) { createVerificationRequest(input: { organizationId: $id }) { id } }';
  const replies = await Promise.all(ids.map((id) => owner.graphql(request, { id })));
  expect(replies.map(({ body }) => body.errors?.[0]?.extensions.code ?? 'created').sort()).toEqual([
    'conflict',
    'conflict',
    'created',
    'created',
  ]);
  const created = replies.flatMap(({ body }) => body.data?.createVerificationRequest?.id ?? []);
  await owner.run('mutation ($id: ID!) { withdrawVerificationRequest(id: $id) { id } }', { id: created[0] });
  const rejected = ids[replies.findIndex(({ body }) => body.errors)];
  expect(await owner.codeOf(request, { id: rejected })).toBeNull();
});

test('members read published announcements only', async () => {
  const owner = await createMember(platform);
  const administrator = await platform.administrator('ADMIN');
  const create = 'mutation ($input: AnnouncementInput!) { createAnnouncement(input: $input) { id version } }';
  const publish = async (input: Record<string, unknown>) =>
    (await administrator.run(create, { input: { text: 'First.\r\n\r\nSecond.', ...input } })).data.createAnnouncement;
  const now = await publish({ title: 'Now' });
  await publish({ title: 'Later', publishedFrom: '2100-01-01T00:00:00Z' });
  await publish({ title: 'Over', publishedFrom: '2020-01-01T00:00:00Z', publishedUntil: '2020-02-01T00:00:00Z' });
  const read = '{ announcements { nodes { title text } } }';
  expect(await owner.run(read)).toEqual({ announcements: { nodes: [{ title: 'Now', text: 'First.\n\nSecond.' }] } });
  expect((await administrator.run('{ allAnnouncements { nodes { title } } }')).data.allAnnouncements.nodes).toHaveLength(3);
  const bad = { title: 'Bad', text: 'x', publishedFrom: '2030-01-01T00:00:00Z', publishedUntil: '2029-01-01T00:00:00Z' };
  expect((await administrator.run(create, { input: bad })).errors[0].extensions.code).toBe('validation_failed');
  const update =
    'mutation ($id: ID!, $input: UpdateAnnouncementInput!) { updateAnnouncement(id: $id, ifMatch: "1", input: $input) { title } }';
  await administrator.run(update, { id: now.id, input: { title: 'Changed' } });
  expect((await owner.run(read)).announcements.nodes[0].title).toBe('Changed');
  await administrator.run('mutation ($id: ID!) { deleteAnnouncement(id: $id) { id } }', { id: now.id });
  expect(await owner.run(read)).toEqual({ announcements: { nodes: [] } });
});
