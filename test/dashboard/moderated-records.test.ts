/** The pages of organizations and athletes in moderation: evidence, memberships, history and decisions. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openBrowser, type Browser } from '../browser.ts';
import { createClient, type Client } from '../client.ts';
import { createMember as createPortalUser } from '../member.ts';
import { createAdult, createClub, createMember } from '../stories/organizations/clubs.ts';
import { openTestPlatform, type TestPlatform } from '../test-platform.ts';
import { visitAs, type SignedInVisit } from './signed-in.ts';

let platform: TestPlatform;
let browser: Browser;
let visit: SignedInVisit;
let owner: Client;
let clubId: string;

const hostile = '<svg onload=alert(1)> FC';
const document = 'https://register.example/club.pdf';

/** A club of a portal account with a key, with a request for its verification. */
async function createClubWithRequest(): Promise<string> {
  const user = await createPortalUser(platform);
  const input = { accountId: user.accountId, name: 'Server', plan: 'pro', scopes: ['organizations:write', 'athletes:write'] };
  const issue = 'mutation ($input: IssueApiKeyInput!) { issueApiKey(input: $input) { key } }';
  const { key } = (await platform.administer(issue, { input }))['issueApiKey'] as { key: string };
  owner = createClient({ ...platform, key });
  const { id } = await createClub(owner, { name: hostile, website: 'https://club.example' });
  const request = 'mutation ($input: CreateVerificationRequestInput!) { createVerificationRequest(input: $input) { id } }';
  await user.run(request, { input: { organizationId: id, note: 'Register of clubs', links: [document] } });
  return id;
}

beforeAll(async () => {
  [platform, browser] = await Promise.all([openTestPlatform(), openBrowser()]);
  clubId = await createClubWithRequest();
  visit = await visitAs(browser, platform, 'MODERATOR');
});
afterAll(async () => {
  await browser.close();
  await platform.close();
});

const region = (name: string) => visit.page.getByRole('region', { name, exact: true });
const heading = (name: string) => visit.page.getByRole('heading', { level: 1, name });

test('the page of an organization has its evidence and members; a decision is in its history', async () => {
  const { page } = visit;
  const athlete = await createAdult(owner, { displayName: 'Ada Runner' });
  await createMember(owner, clubId, athlete.id);
  await page.goto('/admin/moderation?queue=organizations');
  await page.getByRole('link', { name: 'Moderation 2 waiting' }).waitFor();
  await page.getByRole('tab', { name: 'Organizations 1 waiting' }).waitFor();
  await page.getByRole('link', { name: hostile }).click();
  await heading(hostile).waitFor();
  await region('Links').getByRole('link', { name: 'https://club.example' }).waitFor();
  await region('Requests for verification').getByRole('link', { name: document }).waitFor();
  await region('Requests for verification').getByText('Register of clubs').waitFor();
  await region('Members').getByRole('link', { name: 'Ada Runner' }).waitFor();
  expect(await visit.barriers()).toEqual([]);
  await visit.show('moderation-organization');

  await page.getByRole('button', { name: 'Reject', exact: true }).click();
  await page
    .getByRole('dialog')
    .getByLabel(/^Reason/)
    .fill('Not in the register');
  await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click();
  await region('History').getByText('Rejected: Not in the register').waitFor();
  await region('Details').getByText('Rejected', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Moderation 1 waiting' }).waitFor();
});

test('the page of an athlete has links, reports and memberships, and opens from those of the club', async () => {
  const { page } = visit;
  await region('Members').getByRole('link', { name: 'Ada Runner' }).click();
  await heading('Ada Runner').waitFor();
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  const media = [{ kind: 'VIDEO', url: 'https://film.example/7', title: 'Final' }];
  await owner.patch(`/athletes/${id}`, { media }, { 'if-match': '*' });
  await owner.post('/reports', { subjectType: 'ATHLETE', subjectId: id, category: 'IMPERSONATION', text: 'Not her.' });
  await page.reload();
  await region('Links').getByRole('link', { name: 'https://film.example/7' }).waitFor();
  await region('Reports').getByText('Not her.').waitFor();
  await region('Memberships').getByRole('link', { name: hostile }).waitFor();
  await region('History').getByText('Created').waitFor();
  expect(await visit.barriers()).toEqual([]);
  await visit.show('moderation-athlete');
});

test('a viewer sees no decisions, and an unknown ID is not found', async () => {
  const viewer = await visitAs(browser, platform, 'VIEWER');
  await viewer.page.goto(`/admin/moderation/organizations/${clubId}`);
  await viewer.page.getByText('Your role has read-only access.').waitFor();
  await viewer.page
    .getByRole('button', { name: /^(Verify|Reject|Suspend)$/ })
    .first()
    .waitFor({ state: 'detached' });
  await viewer.page.goto('/admin/moderation/athletes/019f0000-0000-7000-8000-000000000000');
  await viewer.page.getByText('Athlete not found').waitFor();
  await viewer.close();
  expect(visit.faults()).toEqual([]);
});
