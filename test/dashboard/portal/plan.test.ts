/** The plan in the portal: the current one, the available ones, and requests with the answers of the operator. */
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
const currentPlan = (name: string) =>
  visit.page
    .getByRole('list', { name: 'Plans' })
    .getByRole('listitem')
    .filter({ hasText: name })
    .getByText('Current', { exact: true });
const requests = () => visit.page.getByRole('table', { name: 'Requests' }).getByRole('row');

async function checked(name: string): Promise<void> {
  expect(await visit.barriers()).toEqual([]);
  await visit.show(`portal-${name}`);
  expect(visit.faults()).toEqual([]);
}

/** Sends a request for the plan Pro in the page. */
async function requestPro(reason: string): Promise<void> {
  await visit.page.getByRole('button', { name: 'Request the plan Pro' }).click();
  await dialog('Request the plan Pro').getByLabel('Reason').fill(reason);
  await dialog('Request the plan Pro').getByRole('button', { name: 'Send request' }).click();
  await dialog('Request the plan Pro').waitFor({ state: 'detached' });
  await visit.page.getByText('The request for the plan Pro awaits a decision of the operator.').waitFor();
}

async function decide(mutation: string): Promise<void> {
  const open = '{ planRequests(filter: { status: [OPEN] }) { nodes { id } } }';
  const { planRequests } = await visit.member.run(open);
  await platform.administer(`mutation ($id: ID!) { ${mutation} { id } }`, { id: planRequests.nodes[0].id });
}

test('an owner compares the plans, requests one with a reason, and withdraws the request', async () => {
  const { page } = visit;
  await page.goto('/portal');
  await page.getByRole('link', { name: 'Plan', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Plan' }).waitFor();
  await currentPlan('Free').waitFor();
  await page.getByRole('button', { name: 'Request the plan Free' }).first().waitFor({ state: 'detached' });
  await page.getByText('No requests yet').waitFor();
  await checked('plan');
  await page.getByRole('button', { name: 'Request the plan Pro' }).click();
  await dialog('Request the plan Pro').waitFor();
  await checked('plan-request');
  await dialog('Request the plan Pro').getByRole('button', { name: 'Cancel' }).click();
  await requestPro('We import a league.');
  await page
    .getByRole('button', { name: /^Request the plan/ })
    .first()
    .waitFor({ state: 'detached' });
  await requests().filter({ hasText: 'We import a league.' }).getByText('Open').waitFor();
  await page.getByRole('button', { name: 'Withdraw the request for the plan Pro' }).click();
  await dialog('Withdraw this request?').waitFor();
  await checked('plan-withdraw');
  await dialog('Withdraw this request?').getByRole('button', { name: 'Withdraw' }).click();
  await requests().getByText('Withdrawn').waitFor();
  await page.getByText('awaits a decision').waitFor({ state: 'detached' });
});

test('the owner reads the answers of the operator, and the granted plan is the current one', async () => {
  const { page } = visit;
  await requestPro('A second league.');
  await decide('declinePlanRequest(id: $id, reason: "Add billing data first.")');
  await page.reload();
  await requests().filter({ hasText: 'Add billing data first.' }).getByText('Declined').waitFor();
  await requestPro('Billing data is complete.');
  await decide('grantPlanRequest(id: $id, reason: "Welcome")');
  await page.reload();
  await currentPlan('Pro').waitFor();
  await page.getByRole('region', { name: 'Current plan' }).getByText('Read and write').waitFor();
  await requests().filter({ hasText: 'Welcome' }).getByText('Granted').waitFor();
  await checked('plan-decided');
  await page.getByRole('combobox', { name: 'Status' }).click();
  await page.getByRole('option', { name: 'Open' }).click();
  await page.getByText('No matching requests').waitFor();
  expect(page.url()).toContain('status=OPEN');
});

test('developers and viewers read plans and requests, and send none', async () => {
  for (const role of ['DEVELOPER', 'VIEWER'] as const) {
    const member = await createMember(platform, { role, accountId: visit.member.accountId });
    const reading = await visitAsMember(browser, platform, member, { width: 390, height: 844 });
    const { page } = reading;
    await page.goto('/portal/plan');
    await page.getByText('Only owners can send requests.').waitFor();
    await page.getByText('Add billing data first.').waitFor();
    await page
      .getByRole('button', { name: /^(Request|Withdraw) the/ })
      .first()
      .waitFor({ state: 'detached' });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    expect(await reading.barriers()).toEqual([]);
    expect(reading.faults()).toEqual([]);
  }
});
