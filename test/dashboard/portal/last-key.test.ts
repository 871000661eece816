/** The last API key that an account can have: its secret is displayed although no further key is possible. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openBrowser, type Browser } from '../../browser.ts';
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

const create = 'mutation ($name: String!) { createOwnKey(input: { name: $name }) { apiKey { id } } }';

test('the secret of the last possible key stays until it is saved', async () => {
  const { page, member } = visit;
  const { keyAllowance } = await member.run('{ keyAllowance { liveKeysMax } }');
  for (let count = 1; count < keyAllowance.liveKeysMax; count += 1) await member.run(create, { name: `Key ${count}` });
  await page.goto('/portal/keys/create');
  await page.getByLabel(/^Key name/).fill('Last one');
  // the form reads again how many keys are possible
  const refetched = page.waitForResponse(
    async (response) => response.url().endsWith('/portal/graphql') && (await response.text()).includes('"liveKeysMax"'),
  );
  await page.getByRole('button', { name: 'Create API key', exact: true }).click();
  await page.getByText(/^sp_live_\w+\.\w+$/).waitFor();
  await refetched;
  await page.evaluate('new Promise(requestAnimationFrame).then(() => null)');
  await page.getByText(/^sp_live_\w+\.\w+$/).waitFor();
  await page.getByRole('button', { name: 'I have saved it' }).click();
  await page.getByRole('heading', { level: 1, name: 'Last one' }).waitFor();
  await page.goto('/portal/keys/create');
  await page.getByText(`The account has ${keyAllowance.liveKeysMax} keys`).waitFor();
  expect(visit.faults()).toEqual([]);
});
