/** Accessibility of the dialogs that no other test of the dashboard checks. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openBrowser, type Browser } from '../browser.ts';
import { openTestPlatform, type TestPlatform } from '../test-platform.ts';
import { visitAs, type SignedInVisit } from './signed-in.ts';

let platform: TestPlatform;
let browser: Browser;
let visit: SignedInVisit;
let keyId: string;
let accountId: string;
let webhookId: string;
let incidentId: string;

beforeAll(async () => {
  [platform, browser] = await Promise.all([openTestPlatform(), openBrowser()]);
  visit = await visitAs(browser, platform, 'OWNER');
  const input = { accountName: 'Dialogs', name: 'Production', plan: 'starter', scopes: ['webhooks:write'] };
  const issue = 'mutation ($input: IssueApiKeyInput!) { issueApiKey(input: $input) { key apiKey { id account { id } } } }';
  // Cast: the document selects it.
  const { issueApiKey } = (await platform.administer(issue, { input })) as {
    issueApiKey: { key: string; apiKey: { id: string; account: { id: string } } };
  };
  keyId = issueApiKey.apiKey.id;
  accountId = issueApiKey.apiKey.account.id;
  const endpoint = { url: 'https://hooks.example.com/dialogs', types: ['match.finished'] };
  const created = await platform.anonymous.post('/webhooks', endpoint, { 'x-api-key': issueApiKey.key });
  expect(created).toMatchObject({ status: 201 });
  webhookId = created.body.id;
  const contract = 'mutation ($id: ID!) { setContract(accountId: $id, plan: "starter", input: { perDay: 5 }) { id } }';
  await platform.administer(contract, { id: accountId });
  const invite = 'mutation ($id: ID!) { invitePortalUser(accountId: $id, email: "ada@example.com") { expiresAt } }';
  await platform.administer(invite, { id: accountId });
  const create = `mutation { createIncident(input: { title: "Slow", impact: DEGRADED, status: INVESTIGATING, components: [ATHLETES], text: "We look into it." }) { id } }`;
  const { data } = await visit.signedIn.run(create);
  incidentId = data.createIncident.id;
});
afterAll(async () => {
  await browser.close();
  await platform.close();
});

/** The title of a dialog by the button that opens it. */
type Dialogs = readonly (readonly [button: string, title: RegExp])[];

async function check(path: string, dialogs: Dialogs): Promise<void> {
  const { page } = visit;
  await page.goto(path);
  const barriers: string[] = [];
  for (const [name, title] of dialogs) {
    await page.getByRole('button', { name, exact: true }).first().click();
    const dialog = page.getByRole('dialog', { name: title });
    await dialog.waitFor();
    barriers.push(...(await visit.barriers()).map((barrier) => `${name}: ${barrier}`));
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  }
  expect(barriers).toEqual([]);
  expect(visit.faults()).toEqual([]);
}

test('an API key', () =>
  check(`/admin/keys/${keyId}`, [
    ['Edit', /^Edit API key/],
    ['Change plan', /^Change plan/],
    ['Disable', /^Disable this API key/],
  ]));

test('an account', () =>
  check(`/admin/accounts/${accountId}`, [
    ['Edit', /^Edit account/],
    ['Close account', /^Close this account/],
    ['End contract for starter', /^End this contract/],
    ['Withdraw the invitation of ada@example.com', /^Withdraw this invitation/],
  ]));

test('a webhook endpoint', () =>
  check(`/admin/webhooks/${webhookId}`, [
    ['Rotate secret', /^Rotate the secret/],
    ['Disable', /^Disable this webhook endpoint/],
    ['Delete', /^Delete this webhook endpoint/],
  ]));

test('an incident', () => check(`/admin/incidents/${incidentId}`, [['Edit', /^Edit incident/]]));
