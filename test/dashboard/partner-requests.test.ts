/** The screens of partner requests: lists by kind and status, details, grant and decline with a reason. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openBrowser, type Browser } from '../browser.ts';
import { createMember, type MemberClient } from '../member.ts';
import { openTestPlatform, type TestPlatform } from '../test-platform.ts';
import { visitAs, type SignedInVisit } from './signed-in.ts';

let platform: TestPlatform;
let browser: Browser;
let visit: SignedInVisit;
let owner: MemberClient;

const hostile = '<img src=x onerror=alert(1)> FC';

beforeAll(async () => {
  [platform, browser] = await Promise.all([openTestPlatform(), openBrowser()]);
  visit = await visitAs(browser, platform, 'ADMIN');
  owner = await createMember(platform);
});
afterAll(async () => {
  await browser.close();
  await platform.close();
});

const dialog = () => visit.page.getByRole('dialog');
const button = (name: string) => visit.page.getByRole('button', { name, exact: true });
const heading = (name: string) => visit.page.getByRole('heading', { level: 1, name });
const region = (name: string) => visit.page.getByRole('region', { name });

const barriers: string[] = [];

async function capture(name: string): Promise<void> {
  // a timestamp below the pointer would display its tooltip
  await visit.page.mouse.move(0, 0);
  barriers.push(...(await visit.barriers()).map((barrier) => `${name}: ${barrier}`));
  await visit.show(name);
}

async function requestPlan(plan: string, note: string): Promise<void> {
  await owner.run('mutation ($plan: String!, $note: String) { createPlanRequest(plan: $plan, note: $note) { id } }', {
    plan,
    note,
  });
}

async function issueKey(): Promise<string> {
  const { issueApiKey } = await platform.administer(
    'mutation ($input: IssueApiKeyInput!) { issueApiKey(input: $input) { key } }',
    { input: { accountId: owner.accountId, plan: 'plenty', scopes: ['organizations:write'] } },
  );
  return (issueApiKey as { key: string }).key;
}

/** Creates an organization of the account, and requests its verification. */
async function requestVerification(name: string): Promise<void> {
  const organization = await platform.anonymous.post(
    '/organizations',
    { name, type: 'CLUB', country: 'DE', sports: ['FOOTBALL'], status: 'ACTIVE' },
    { 'x-api-key': await issueKey() },
  );
  const input = { organizationId: organization.body.id, links: ['https://register.example/7'] };
  await owner.run('mutation ($input: CreateVerificationRequestInput!) { createVerificationRequest(input: $input) { id } }', {
    input,
  });
}

test('without open requests, the list leads to all requests', async () => {
  const { page } = visit;
  await page.goto('/admin');
  await page.getByRole('link', { name: 'Partner requests', exact: true }).click();
  await page.getByText('No open requests').waitFor();
  await capture('partner-requests-none');
  await page.getByRole('link', { name: 'Show all requests' }).click();
  await page.waitForURL(/status=ALL/);
  await page.getByText('No matching requests').waitFor();
  await page.getByRole('button', { name: 'Clear all filters' }).click();
  await page.getByText('No open requests').waitFor();
});

test('declines a plan request with a reason that the account reads', async () => {
  const { page } = visit;
  await requestPlan('pro', 'Two new leagues.\n\nFrom August.');
  await page.goto('/admin/partner-requests');
  await page.getByRole('link', { name: 'Partner requests 1 waiting' }).waitFor();
  await page.getByText('Two new leagues.').waitFor();
  await capture('partner-requests-plans');
  await page.getByRole('link', { name: 'Pro', exact: true }).click();
  await heading('Plan request: Pro').waitFor();
  await region('Details').getByText('No active API keys').waitFor();
  await region('Note of the account').getByText('From August.').waitFor();
  await button('Copy request ID').waitFor();
  await capture('plan-request');
  await button('Decline').click();
  expect(await dialog().getByRole('button', { name: 'Decline' }).isDisabled()).toBe(true);
  await dialog().getByLabel('Reason').fill('Usage is below the limits of your plan.');
  await capture('plan-request-decline');
  await dialog().getByRole('button', { name: 'Decline' }).click();
  await page.getByText('Declined', { exact: true }).first().waitFor();
  await region('Reason of the decision').getByText('Usage is below the limits of your plan.').waitFor();
  await region('History').getByText('Declined: Usage is below').waitFor();
  await button('Grant').first().waitFor({ state: 'detached' });
  expect((await owner.run('{ planRequests { nodes { status reason } } }')).planRequests.nodes).toEqual([
    { status: 'DECLINED', reason: 'Usage is below the limits of your plan.' },
  ]);
});

test('grants a plan request, which changes the plan of the account', async () => {
  const { page } = visit;
  await requestPlan('starter', 'Starter is enough.');
  await page.goto('/admin/partner-requests');
  await page.getByRole('link', { name: 'Starter', exact: true }).click();
  await button('Grant').click();
  await dialog().getByRole('radiogroup', { name: 'Effective' }).getByText('Now').click();
  await capture('plan-request-grant');
  await dialog().getByRole('button', { name: 'Grant' }).click();
  await page.getByText('Granted', { exact: true }).first().waitFor();
  expect((await owner.run('{ member { plan { code } } }')).member.plan.code).toBe('starter');
  await page.goto('/admin/partner-requests?status=DECLINED');
  await page.getByRole('link', { name: 'Pro', exact: true }).waitFor();
  await page.getByRole('link', { name: 'Starter', exact: true }).first().waitFor({ state: 'detached' });
  await page.getByRole('combobox', { name: 'Status' }).click();
  await page.getByRole('option', { name: 'All' }).click();
  await page.getByRole('link', { name: 'Starter', exact: true }).waitFor();
});

test('a verification is granted after the organization was verified', async () => {
  const { page } = visit;
  await requestVerification(hostile);
  await page.goto('/admin/partner-requests');
  await page.getByRole('tab', { name: 'Verifications 1 waiting' }).click();
  await page.waitForURL(/queue=verifications/);
  await capture('partner-requests-verifications');
  await page.getByRole('link', { name: hostile }).click();
  await heading(`Verification request: ${hostile}`).waitFor();
  await region('Links to documents').getByRole('link', { name: 'https://register.example/7' }).waitFor();
  await page.getByText('Verify the organization first').waitFor();
  await button('Grant').first().waitFor({ state: 'detached' });
  await capture('verification-request');
  await page.getByRole('link', { name: 'Open organization' }).click();
  await heading(hostile).waitFor();
  await button('Verify').click();
  await dialog().getByLabel('Verification method').fill('Register');
  await dialog().getByRole('button', { name: 'Verify' }).click();
  await dialog().waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'decide the request' }).click();
  await button('Grant').click();
  await dialog().getByLabel('Reason').fill('Welcome');
  await capture('verification-request-grant');
  await dialog().getByRole('button', { name: 'Grant' }).click();
  await region('History').getByText('Granted: Welcome').waitFor();
  await page.getByRole('link', { name: 'Partner requests', exact: true }).waitFor();
});

test('a moderator decides on verifications only, and an unknown ID is not found', async () => {
  await requestPlan('pro', 'Again.');
  await requestVerification('Unknown FC');
  const moderator = await visitAs(browser, platform, 'MODERATOR', { width: 390, height: 844 });
  const { page } = moderator;
  await page.goto('/admin/partner-requests');
  await page.getByRole('link', { name: 'Pro', exact: true }).click();
  await page.getByText('Your role has read-only access.').waitFor();
  await page
    .getByRole('button', { name: /^(Grant|Decline)$/ })
    .first()
    .waitFor({ state: 'detached' });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  await page.goto('/admin/partner-requests?queue=verifications');
  await page.getByRole('link', { name: 'Unknown FC' }).click();
  await page.getByRole('button', { name: 'Decline' }).click();
  await page.getByRole('dialog').getByLabel('Reason').fill('Not in the register.');
  await page.getByRole('dialog').getByRole('button', { name: 'Decline' }).click();
  await page.getByRole('region', { name: 'History' }).getByText('Declined: Not in the register.').waitFor();
  await page.goto('/admin/partner-requests/verifications/019f0000-0000-7000-8000-000000000000');
  await page.getByText('Request not found').waitFor();
  await moderator.close();
});

test('all screens are accessible in light and dark mode, and violate no Content Security Policy', () => {
  expect(barriers).toEqual([]);
  expect(visit.faults()).toEqual([]);
});
