/** The verification of organizations in the portal: requests with links to documents, and the answers of the operator. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openBrowser, type Browser } from '../../browser.ts';
import { createMember } from '../../member.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { visitAsMember, type MemberVisit } from './signed-in-member.ts';

let platform: TestPlatform;
let browser: Browser;
let visit: MemberVisit;

beforeAll(async () => {
  [platform, browser] = await Promise.all([openTestPlatform(), openBrowser()]);
  visit = await visitAsMember(browser, platform, 'OWNER');
});
afterAll(async () => {
  await browser.close();
  await platform.close();
});

const dialog = (name: string) => visit.page.getByRole('dialog', { name });
const rows = (name: string) => visit.page.getByRole('table', { name, exact: true }).getByRole('row');

async function checked(name: string): Promise<void> {
  expect(await visit.barriers()).toEqual([]);
  await visit.show(`portal-${name}`);
  expect(visit.faults()).toEqual([]);
}

/** Creates a club with a key of the operator, because the plan of a new account has no write access. */
async function createOwnClub(name: string): Promise<string> {
  const input = { accountId: visit.member.accountId, plan: 'plenty', scopes: ['organizations:write'] };
  const issued = await platform.administer('mutation ($input: IssueApiKeyInput!) { issueApiKey(input: $input) { key } }', {
    input,
  });
  // a cast: the selection has this type
  const { key } = issued['issueApiKey'] as { key: string };
  const club = { name, type: 'CLUB', country: 'DE', sports: ['FOOTBALL'], status: 'ACTIVE' };
  const { status, body } = await platform.anonymous.post('/organizations', club, { 'x-api-key': key });
  expect(status).toBe(201);
  return body.id;
}

async function openRequestId(): Promise<string> {
  const open = '{ verificationRequests(filter: { status: [OPEN] }) { nodes { id } } }';
  return (await visit.member.run(open)).verificationRequests.nodes[0].id;
}

test('an owner without organizations reads what to do', async () => {
  const { page } = visit;
  await page.goto('/portal');
  await page.getByRole('link', { name: 'Verification', exact: true }).click();
  await page.getByText('No organizations yet').waitFor();
  await page.getByText('No requests yet').waitFor();
  await checked('verification-empty');
});

test('an owner requests a verification with links to documents, and withdraws it', async () => {
  const { page } = visit;
  await createOwnClub('FC Verified');
  await page.reload();
  await rows('Organizations').filter({ hasText: 'FC Verified' }).getByText('Unverified').waitFor();
  await page.getByRole('button', { name: 'Request verification of FC Verified' }).click();
  const form = dialog('Request verification');
  await form.getByLabel('Note').fill('We are in the register of clubs.');
  await form.getByLabel('Links to documents').fill('https://example.com/register.pdf\nhttp://example.com/statute');
  await form.getByRole('button', { name: 'Send request' }).click();
  await form.getByText(/^Line 2: Use a complete https URL/).waitFor();
  await checked('verification-request');
  await form.getByLabel('Links to documents').fill('https://example.com/register.pdf');
  await form.getByRole('button', { name: 'Send request' }).click();
  await form.waitFor({ state: 'detached' });
  const request = rows('Requests').filter({ hasText: 'FC Verified' });
  await request.getByText('Open').waitFor();
  expect(await request.getByRole('link').getAttribute('rel')).toContain('noreferrer');
  await rows('Organizations').filter({ hasText: 'FC Verified' }).getByText('Requested', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Withdraw the request for FC Verified' }).click();
  await dialog('Withdraw this request?').getByRole('button', { name: 'Withdraw' }).click();
  await request.getByText('Withdrawn').waitFor();
  await page.getByRole('button', { name: 'Request verification of FC Verified' }).waitFor();
});

test('the owner reads the answers of the operator', async () => {
  const { page } = visit;
  const send = async (note: string): Promise<void> => {
    await page.getByRole('button', { name: 'Request verification of FC Verified' }).click();
    await dialog('Request verification').getByLabel('Note').fill(note);
    await dialog('Request verification').getByRole('button', { name: 'Send request' }).click();
    await rows('Requests').filter({ hasText: note }).getByText('Open').waitFor();
  };
  await send('First request');
  const decline = 'mutation ($id: ID!) { declineVerificationRequest(id: $id, reason: "The document is not readable.") { id } }';
  await platform.administer(decline, { id: await openRequestId() });
  await page.reload();
  await rows('Requests').filter({ hasText: 'The document is not readable.' }).getByText('Declined').waitFor();
  await send('Second request');
  const { organizations } = await visit.member.run('{ organizations(filter: { mine: true }) { nodes { id } } }');
  const moderator = await platform.administrator('MODERATOR');
  await moderator.run('mutation ($id: ID!) { verifyOrganization(id: $id, method: "register") { id } }', {
    id: organizations.nodes[0].id,
  });
  await moderator.run('mutation ($id: ID!) { grantVerificationRequest(id: $id) { id } }', { id: await openRequestId() });
  await page.reload();
  await rows('Requests').filter({ hasText: 'Second request' }).getByText('Granted').waitFor();
  await rows('Organizations').filter({ hasText: 'FC Verified' }).getByText('Verified', { exact: true }).waitFor();
  await page
    .getByRole('button', { name: /^Request verification/ })
    .first()
    .waitFor({ state: 'detached' });
  await checked('verification');
  await page.getByLabel('Name').fill('nothing');
  await page.getByText('No matching organizations').waitFor();
  expect(page.url()).toContain('q=nothing');
});

test('a viewer reads organizations and requests, and sends none', async () => {
  await createOwnClub('Second Club');
  const viewer = await createMember(platform, { role: 'VIEWER', accountId: visit.member.accountId });
  const reading = await visitAsMember(browser, platform, viewer, { width: 390, height: 844 });
  const { page } = reading;
  await page.goto('/portal/verification');
  await page.getByText('Only owners can send requests.').waitFor();
  await page.getByText('Second Club').waitFor();
  await page.getByText('The document is not readable.').waitFor();
  await page
    .getByRole('button', { name: /^(Request verification|Withdraw)/ })
    .first()
    .waitFor({ state: 'detached' });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  expect(await reading.barriers()).toEqual([]);
  expect(reading.faults()).toEqual([]);
});
