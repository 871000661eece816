/** The moderation screen: queues, decisions, and the limits of the moderator role. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openBrowser, type Browser } from '../browser.ts';
import type { Client } from '../client.ts';
import { createAdult, createClub } from '../stories/organizations/clubs.ts';
import { bornFor, createAthlete } from '../stories/athletes/people.ts';
import { openTestPlatform, type TestPlatform } from '../test-platform.ts';
import { visitAs, type SignedInVisit } from './signed-in.ts';

let platform: TestPlatform;
let browser: Browser;
let visit: SignedInVisit;
let owner: Client;

const hostile = '<svg onload=alert(1)> FC';

beforeAll(async () => {
  [platform, browser] = await Promise.all([openTestPlatform(), openBrowser()]);
  visit = await visitAs(browser, platform, 'MODERATOR');
  owner = await platform.account({ account: 'Club' });
});
afterAll(async () => {
  await browser.close();
  await platform.close();
});

const row = (text: string) => visit.page.getByRole('row').filter({ hasText: text });
const button = (name: string) => visit.page.getByRole('button', { name, exact: true });
const open = (queue: string) => visit.page.goto(`/admin/moderation?queue=${queue}`);

/** Clicks the button of a decision, fills in its field, and confirms. */
async function decide(name: string, label: RegExp | null, text = ''): Promise<void> {
  await button(name).click();
  const dialog = visit.page.getByRole('dialog');
  if (label) await dialog.getByLabel(label).fill(text);
  await dialog.getByRole('button', { name: name.split(' ', 1)[0] ?? '', exact: true }).click();
}

test('displays an empty state for an empty queue', async () => {
  await open('organizations');
  await visit.page.getByText('No items to review').waitFor();
  expect(await visit.barriers()).toEqual([]);
  await visit.show('moderation-empty');
});

test('verifying an organization removes it from the queue and focuses the next one', async () => {
  const { id } = await createClub(owner, { name: hostile, website: 'https://club.example', legalName: 'Club e. V.' });
  await createClub(owner, { name: 'Second FC' });
  await visit.page.reload();
  await row('Second FC').waitFor();
  expect(await row(hostile).innerText()).toContain('https://club.example');
  expect(await visit.barriers()).toEqual([]);
  await visit.show('moderation-organizations');
  await button(`Verify ${hostile}`).click();
  await visit.page.getByLabel(/^Verification method/).waitFor();
  expect(await visit.barriers()).toEqual([]);
  await visit.show('moderation-verify');
  await visit.page.keyboard.press('Escape');
  await decide(`Verify ${hostile}`, /^Verification method/, 'Register of associations');
  await row(hostile).waitFor({ state: 'detached' });
  await visit.page.locator('[aria-label="Verify Second FC"]:focus').waitFor();
  const { data } = await visit.signedIn.run('query ($id: ID!) { organization(id: $id) { verification { status method } } }', {
    id,
  });
  expect(data.organization.verification).toEqual({ status: 'VERIFIED', method: 'Register of associations' });
});

test('suspends an organization after typing its name, and reinstates it from the suspended view', async () => {
  await button('Suspend Second FC').click();
  await visit.page.getByLabel('Reason').fill('Not a club');
  await visit.page.getByLabel(/to confirm$/).fill('Second FC');
  await visit.page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click();
  await visit.page.getByText('No items to review').waitFor();
  await visit.page.goto('/admin/moderation?queue=organizations&view=suspended');
  await decide('Reinstate Second FC', null);
  await visit.page.getByText('No items to review').waitFor();
  await open('organizations');
  await row('Second FC').waitFor();
});

test('decides on athletes, statistics and replays', async () => {
  const adult = await createAdult(owner, { displayName: 'Ada Runner', sports: [{ sport: 'SWIMMING' }] });
  const { id: athleteId } = await createAthlete(owner, { dateOfBirth: bornFor(14, 3), displayName: 'Minor Swims' });
  const statistics = { scope: 'CAREER', sport: 'SWIMMING', source: 'SELF_REPORTED' };
  await owner.post('/athletes/statistics', {
    ...statistics,
    athleteId: adult.id,
    metrics: [{ key: 'reactionTimeMs', value: 640 }],
  });
  const video = { title: 'Swims', kind: 'CLIP', url: 'https://film.example/1', status: 'PUBLISHED' };
  await owner.post('/competitions/replays', { ...video, athleteId });

  await open('athletes');
  await row('Ada Runner').waitFor();
  expect(await visit.barriers()).toEqual([]);
  await visit.show('moderation-athletes');
  await decide('Reject Ada Runner', /^Reason/, 'No such person');
  await row('Ada Runner').waitFor({ state: 'detached' });

  await open('statistics');
  await row('640').waitFor();
  expect(await visit.barriers()).toEqual([]);
  await visit.show('moderation-statistics');
  await decide('Verify Ada Runner, career in swimming', null);
  await visit.page.getByText('No items to review').waitFor();

  await open('replays');
  await row('Minor Swims (14)').waitFor();
  expect(await visit.barriers()).toEqual([]);
  await visit.show('moderation-replays');
  await decide('Publish Swims', null);
  await visit.page.getByText('No items to review').waitFor();
});

test('dismisses a report with a note for the reporter', async () => {
  const { id: subjectId } = await createClub(owner, { name: 'Third FC' });
  const report = { subjectType: 'ORGANIZATION', subjectId, category: 'IMPERSONATION', text: `This is not us. ${hostile}` };
  const { body: created } = await owner.post('/reports', report);
  await open('reports');
  await row(hostile).waitFor();
  expect(await visit.barriers()).toEqual([]);
  await visit.show('moderation-reports');
  await decide('Dismiss the report about Third FC', /^Reason/, 'It is them.');
  await visit.page.getByText('No items to review').waitFor();
  expect((await owner.get(`/reports/${created.id}`)).body).toMatchObject({ status: 'DISMISSED', note: 'It is them.' });
  expect(visit.faults()).toEqual([]);
});

test('a viewer sees the queues without actions', async () => {
  const viewer = await visitAs(browser, platform, 'VIEWER');
  await viewer.page.goto('/admin/moderation');
  await viewer.page.getByRole('row').filter({ hasText: 'Third FC' }).waitFor();
  await viewer.page.getByText('Your role has read-only access.').waitFor();
  await viewer.page
    .getByRole('button', { name: /^(Verify|Reject|Suspend) / })
    .first()
    .waitFor({ state: 'detached' });
  await viewer.close();
});

test('a moderator cannot manage accounts and administrators', async () => {
  const responses = await Promise.all(
    [
      'mutation { createAccount(input: { name: "Mine" }) { id } }',
      'mutation { inviteAdministrator(input: { email: "a@example.com", name: "A", role: OWNER }) { setupPath } }',
    ].map((document) => visit.signedIn.run(document)),
  );
  for (const { errors } of responses) expect(errors[0].extensions.code).toBe('insufficient_scope');
  await visit.page.goto('/admin/administrators');
  await visit.page.getByText('Only owners can manage administrators.').waitFor();
  await visit.page
    .getByRole('button', { name: /^(Invite administrator|Actions for)/ })
    .first()
    .waitFor({ state: 'detached' });
});
