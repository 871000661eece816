/** Test keys in the portal: a form that offers write scopes on every plan, and a badge in the list. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openBrowser, type Browser } from '../../browser.ts';
import { createMemberWithPassword } from '../../member.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { visitAsMember, type MemberVisit } from './signed-in-member.ts';

let platform: TestPlatform;
let browser: Browser;
let visit: MemberVisit;
beforeAll(async () => {
  [platform, browser] = await Promise.all([openTestPlatform(), openBrowser()]);
  visit = await visitAsMember(browser, platform, await createMemberWithPassword(platform, { role: 'DEVELOPER' }));
});
afterAll(async () => {
  await browser.close();
  await platform.close();
});

async function checked(name: string): Promise<void> {
  expect(await visit.barriers()).toEqual([]);
  await visit.show(`portal-${name}`);
  expect(visit.faults()).toEqual([]);
}

test('a developer on a plan without write access creates a test key that writes', async () => {
  const { page } = visit;
  await page.goto('/portal/keys/create');
  const scope = page.getByRole('checkbox', { name: /^organizations:write/ });
  await page.getByLabel(/^Key name/).fill('integration');
  await scope.first().waitFor({ state: 'detached' });
  await page.getByRole('radio', { name: 'Test' }).check();
  await scope.check();
  await checked('key-create-test');
  await page.getByRole('button', { name: 'Create API key', exact: true }).click();
  const secret = await page
    .getByRole('dialog')
    .getByText(/^sp_test_\w+\.\w+$/)
    .innerText();
  await page.getByRole('button', { name: 'I have saved it', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'integration' }).waitFor();
  const club = { type: 'CLUB', name: 'Test FC', country: 'NO', sports: ['FOOTBALL'], status: 'ACTIVE' };
  expect((await platform.anonymous.post('/organizations', club, { 'x-api-key': secret })).status).toBe(201);
  await page.goto('/portal/keys');
  await page.getByText('Test', { exact: true }).waitFor();
  await checked('keys-test');
});
