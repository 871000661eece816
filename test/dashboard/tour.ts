/** `npm run screenshots`: captures every screen with realistic data into docs/dashboard. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openDatabase, sql } from '../../platform/database/database.ts';
import { routerRole } from '../../platform/database/roles.ts';
import { invite } from '../administrator.ts';
import { openBrowser, type Browser } from '../browser.ts';
import { createAdult, createClub } from '../stories/organizations/clubs.ts';
import { runAll, saveSearch } from '../stories/scouting/searchers.ts';
import { asDatabaseOwner, createEndpoint, passTime } from '../stories/webhooks/fixture.ts';
import { openReceiver, type Receiver } from '../stories/webhooks/receiver.ts';
import { openTestPlatform, type TestPlatform } from '../test-platform.ts';
import { visitAs, type SignedInVisit } from './signed-in.ts';

let platform: TestPlatform;
let browser: Browser;
let visit: SignedInVisit;
let receivers: Receiver[];

interface Key {
  readonly limits: { readonly perDay: number; readonly perMonth: number };
  readonly publicId: string;
  readonly quotaSubjectId: string;
  readonly account: { readonly id: string };
}

const hostile = 'Rovers <img src=x onerror=alert(1)> & "Söhne"';
const holders = [
  'Northern Scouting Group',
  'Acme FC',
  'University of Example',
  'Handball Liga',
  'Ring & Co',
  'Data Desk',
  hostile,
];
const keyNames = ['Production', 'Staging', 'Match reports'];

async function issueKeys(): Promise<Key[]> {
  const document = `mutation ($input: IssueApiKeyInput!) {
    issueApiKey(input: $input) { apiKey { publicId quotaSubjectId limits { perDay perMonth } account { id } } }
  }`;
  const keys: Key[] = [];
  for (const [index, accountName] of holders.entries()) {
    for (const name of keyNames.slice(0, 1 + (index % 3))) {
      const plan = index % 2 === 0 ? 'pro' : 'starter';
      const scopes = index % 2 === 0 ? ['athletes:write', 'organizations:write'] : [];
      const { issueApiKey } = await platform.administer(document, { input: { accountName, name, plan, scopes } });
      keys.push((issueApiKey as { apiKey: Key }).apiKey);
    }
  }
  return keys;
}

const areas = ['athletes', 'competitions', 'organizations', 'scouting'];
const daysShown = 30;

/** Writes a month of requests, as the routers report them. */
async function useKeys(keys: readonly Key[]): Promise<void> {
  const now = Date.now();
  const dayMs = 86_400_000;
  const rows = keys.flatMap(({ publicId, quotaSubjectId, account }, holder) =>
    Array.from({ length: daysShown * 4 }, (_, index) => {
      const at = now - Math.floor(index / 4) * dayMs - (index % 4) * 3 * 3_600_000;
      const requests = 20 + ((holder * 37 + index * 53) % 90) * (holder === 0 ? 3 : 1);
      const status = index % 11 === 3 ? 4 : index % 61 === 7 ? 5 : 2;
      const area = areas[(holder + index) % areas.length];
      const of = { lineage: quotaSubjectId, account: account.id, key: publicId, plan: 'pro', area, sport: null };
      return { ...of, minute: Math.floor(at / 60_000) * 60, status, requests, units: requests };
    }),
  );
  const today = new Date(now).toISOString().slice(0, 10);
  const subjects = keys.map(({ publicId, quotaSubjectId, limits }, index) => {
    const used = limits.perDay * (index % 4 === 0 ? 0.92 : 0.24);
    const day = { day: today, dayUnits: used, dayCounted: used };
    const month = { month: `${today.slice(0, 7)}-01`, monthUnits: used * 5, monthCounted: used * 5 };
    return { subject: quotaSubjectId.replaceAll('-', ''), key: publicId, ...day, ...month, ...limits };
  });
  const database = openDatabase({ url: platform.database.urlAs(routerRole), name: 'test-tour', poolSize: 1 });
  await database.query(sql`/* test.useKeys */ select * from accounts.usage_flush(${randomUUID()}, ${JSON.stringify(rows)}::jsonb,
    ${JSON.stringify(subjects)}::jsonb, ${JSON.stringify(keys.map(({ publicId }) => ({ key: publicId, at: now - 90_000, address: '' })))}::jsonb)`);
  await database.close();
}

/** Creates items for the moderation queues, and a past decision. */
async function moderate(): Promise<void> {
  const owner = await platform.account({ account: 'Northern Scouting Group' });
  const clubs = [];
  for (const name of ['FC Example', 'SV Beispiel', hostile, 'Olympique Exemple']) clubs.push(await createClub(owner, { name }));
  await createAdult(owner);
  const [reported, verified] = clubs;
  await owner.post('/reports', {
    subjectType: 'ORGANIZATION',
    subjectId: reported?.id,
    category: 'WRONG_DATA',
    text: 'It moved to another city.',
  });
  const moderator = await platform.administrator('MODERATOR');
  await moderator.run('mutation ($id: ID!) { verifyOrganization(id: $id, method: "Register of clubs") { id } }', {
    id: verified?.id,
  });
  await owner.get('/athletes?limit=2');
}

/** Creates webhook endpoints with deliveries: one that succeeds, and one that fails. */
async function deliver(): Promise<void> {
  receivers = await Promise.all([openReceiver(), openReceiver()]);
  const [healthy, failing] = receivers;
  if (!healthy || !failing) throw new Error('no receivers');
  failing.respond((_, response) => void response.writeHead(503).end('{"error":"maintenance","retry":true}'));
  const owner = await platform.account({ account: 'Data Desk' });
  await createEndpoint(owner, healthy, { description: 'Club register', types: ['organization.created', 'organization.updated'] });
  const { id } = await createEndpoint(owner, failing, { description: 'Staging', areas: ['ORGANIZATIONS'] });
  for (const name of ['FC Example', 'SV Beispiel']) await createClub(owner, { name });
  await platform.settled();
  await passTime(platform, id);
  // URLs as on the internet
  for (const [receiver, url] of [
    [healthy, 'https://hooks.example.com/clubs'],
    [failing, 'https://staging.example.com/webhooks'],
  ] as const)
    await asDatabaseOwner(platform, 'update accounts.webhook_endpoint set url = $2 where url = $1', [receiver.url, url]);
}

/** Saves searches: one with a match, and one that is paused. */
async function search(): Promise<void> {
  const scout = await platform.account({ account: 'Northern Scouting Group' });
  const leftBacks = { athletes: { sport: ['FOOTBALL'], position: ['LB'], ageMax: 40 } };
  await saveSearch(scout, leftBacks);
  const trials = { opportunities: { type: ['TRIAL'], near: '52.52,13.405', radiusKm: 100 } };
  await saveSearch(await platform.account({ account: 'Data Desk' }), trials, { name: 'Trials around Berlin', paused: true });
  await createAdult(scout);
  await runAll(platform);
}

beforeAll(async () => {
  [platform, browser] = await Promise.all([openTestPlatform(), openBrowser()]);
  await useKeys(await issueKeys());
  await moderate();
  await deliver();
  await search();
  await invite(platform.administer, 'ADMIN', 'grace@example.com', 'Grace Example');
  await platform.flushUsage();
  await platform.settled();
  visit = await visitAs(browser, platform, 'OWNER');
});
afterAll(async () => {
  await browser.close();
  await platform.close();
  await Promise.all(receivers.map((receiver) => receiver.close()));
});

/** Waits until all requests are complete. */
async function waitForData(): Promise<void> {
  await visit.page.waitForLoadState('networkidle');
  await visit.page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' });
}

async function capture(name: string): Promise<void> {
  await waitForData();
  await visit.show(name);
  expect(visit.faults()).toEqual([]);
}

async function open(list: string, name: string): Promise<void> {
  const { page } = visit;
  await page.goto(list);
  await page.getByRole('link', { name, exact: true }).last().click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
}

test.each([
  ['overview', '/admin'],
  ['overview-month', '/admin?span=DAY'],
  ['keys', '/admin/keys'],
  ['keys-none', '/admin/keys?q=nothing-like-this'],
  ['key-issue', '/admin/keys/issue'],
  ['accounts', '/admin/accounts'],
  ['plans', '/admin/plans'],
  ['plan', '/admin/plans/pro'],
  ['moderation', '/admin/moderation'],
  ['moderation-reports', '/admin/moderation?queue=reports'],
  ['webhooks', '/admin/webhooks'],
  ['saved-searches', '/admin/saved-searches'],
  ['events', '/admin/events'],
  ['events-live', '/admin/events?view=LIVE&area=ORGANIZATIONS'],
  ['audit', '/admin/audit'],
  ['administrators', '/admin/administrators'],
  ['own-account', '/admin/own-account'],
  ['missing', '/admin/nowhere'],
])('%s', async (name, path) => {
  await visit.page.goto(path);
  await capture(name);
});

describe('a key', () => {
  beforeAll(() => open('/admin/keys', 'Production'));

  test('displays its details', () => capture('key'));

  test.each([
    ['Rotate', 'key-rotate'],
    ['Change plan', 'key-move'],
    ['Edit', 'key-edit'],
    ['Revoke', 'key-revoke'],
  ])('displays the dialog of %s', async (action, name) => {
    const { page } = visit;
    await page.getByRole('button', { name: action, exact: true }).first().click();
    await page.getByRole('dialog').waitFor();
    await capture(name);
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
  });
});

test('an account', async () => {
  await open('/admin/accounts', 'Northern Scouting Group');
  await capture('account');
});

test('a webhook endpoint', async () => {
  const { page } = visit;
  await page.goto('/admin/webhooks');
  await page.getByRole('link', { name: 'https://staging.example.com/webhooks' }).click();
  await page.getByRole('heading', { level: 1, name: 'Staging' }).waitFor();
  await capture('webhook');
  await page.getByRole('table', { name: 'Deliveries' }).getByRole('link').first().click();
  await page.getByText('HTTP status').first().waitFor();
  await capture('webhook-delivery');
});

test('a saved search', async () => {
  const { page } = visit;
  await page.goto('/admin/saved-searches');
  await page.getByRole('link', { name: 'Left backs' }).click();
  await page.getByText('Filter as in the API').waitFor();
  await capture('saved-search');
});

test('an event', async () => {
  const { page } = visit;
  await page.goto('/admin/events?type=organization.created');
  await page
    .getByRole('button', { name: /^Details of/ })
    .first()
    .click();
  await page.getByText('An organization was created').waitFor();
  await capture('event');
});
