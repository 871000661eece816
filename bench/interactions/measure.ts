/** `npm run bench -- --interactions`: the time from an input to the next paint, in the dashboard and the portal. */
import { chromium, type Browser, type Page } from 'playwright-core';
import pg from 'pg';
import { align } from '../../commands/markdown-table.ts';
import { buildDashboard, isStale } from '../../commands/dashboard-build.ts';
import { findBrowserBinary } from '../../test/browser-binary.ts';
import { signInOwner, statementsOf } from '../dashboard.ts';
import { openAccounts, type BenchDatabase } from '../database.ts';
import type { OpenContender } from '../open.ts';
import { fillRequestLog, largeAccount } from '../requests/rows.ts';
import { observer, timeInteraction } from './event-timing.ts';
import { interactionsOf, type Interaction } from './interactions.ts';

const targetMs = 100;

export interface InteractionSize {
  readonly keys: number;
  readonly accounts: number;
  readonly requests: number;
  readonly repetitions: number;
}

const fullSize: InteractionSize = { keys: 2_000, accounts: 1_000, requests: 10_000, repetitions: 14 };

/** Durations in ms. Below 16 ms the browser reports none; they count as 16. */
export interface InteractionTimes {
  readonly app: string;
  readonly name: string;
  readonly samples: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly maxMs: number;
}

/** Invites an owner of an account and accepts the invitation. Returns the cookie. */
async function signInMember(url: string, database: BenchDatabase, accountId: string): Promise<string> {
  const { execute, close } = await openAccounts(database);
  const { invitePortalUser } = await execute<{ readonly invitePortalUser: { readonly setupPath: string } }>(
    'mutation ($id: ID!) { invitePortalUser(accountId: $id, email: "member@example.com") { setupPath } }',
    { id: accountId },
  ).finally(close);
  const [, token] = invitePortalUser.setupPath.split('#');
  const body = JSON.stringify({ token, name: 'Member', password: 'ten thousand small requests' });
  const headers = { 'content-type': 'application/json', origin: url };
  const response = await fetch(`${url}/portal/setup`, { method: 'POST', headers, body });
  if (!response.ok) throw new Error(`no session: ${response.status} ${await response.text()}`);
  return response.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
}

async function fill(database: BenchDatabase, size: InteractionSize, report: (line: string) => void): Promise<void> {
  const client = new pg.Client({ connectionString: database.ownerUrl, application_name: 'bench' });
  await client.connect();
  for (const statement of statementsOf(size)) await client.query(statement);
  await fillRequestLog(client, size.requests, () => undefined);
  await client.end();
  report(`${size.keys} keys of ${size.accounts} accounts, ${size.requests} requests`);
}

async function openPage(browser: Browser, url: string, cookies: readonly string[]): Promise<Page> {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1440, height: 800 } });
  await context.addInitScript(observer);
  for (const cookie of cookies) {
    const [name = '', value = ''] = cookie.split('=', 2);
    const secure = { secure: true, httpOnly: true, sameSite: 'Lax' } as const;
    await context.addCookies([{ name, value, url: url.replace('http:', 'https:'), ...secure }]);
  }
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  return page;
}

async function measure(page: Page, interaction: Interaction, repetitions: number): Promise<number[]> {
  const { path, prepare, act, inputs = 1 } = interaction;
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  const times: number[] = [];
  for (let repetition = 0; repetition < repetitions; repetition += 1) {
    await prepare?.(page, repetition);
    times.push(...(await timeInteraction(page, inputs, () => act(page, repetition))));
  }
  return times.sort((one, other) => one - other);
}

function timesOf(app: string, name: string, times: readonly number[]): InteractionTimes {
  const at = (share: number): number => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { app, name, samples: times.length, p50Ms: at(0.5), p95Ms: at(0.95), maxMs: times.at(-1) ?? 0 };
}

/** Measures the interactions of both apps one after the other, on a page without other work. */
export async function measureInteractions(
  database: BenchDatabase,
  platform: OpenContender,
  report: (line: string) => void,
  size: InteractionSize = fullSize,
): Promise<InteractionTimes[]> {
  if (isStale()) await buildDashboard();
  await fill(database, size, report);
  const cookies = [await signInOwner(platform.url, database), await signInMember(platform.url, database, largeAccount)];
  const { executablePath, env } = await findBrowserBinary();
  const browser = await chromium.launch({ executablePath, env: { ...process.env, ...env }, args: ['--no-sandbox'] });
  try {
    const page = await openPage(browser, platform.url, cookies);
    const measured: InteractionTimes[] = [];
    for (const [app, interactions] of Object.entries(interactionsOf(largeAccount))) {
      for (const interaction of interactions) {
        measured.push(timesOf(app, interaction.name, await measure(page, interaction, size.repetitions)));
        report(`${app}: ${interaction.name}`);
      }
    }
    return measured;
  } finally {
    await browser.close();
  }
}

/** The table of a run, in Markdown. */
export function printInteractions(measured: readonly InteractionTimes[]): string {
  const text = (ms: number): string => (ms <= 16 ? '≤ 16' : String(ms));
  return align([
    ['app', 'interaction', 'inputs', 'p50 ms', 'p95 ms', 'max ms', 'target of max'],
    ...measured.map(({ app, name, samples, p50Ms, p95Ms, maxMs }) => [
      app,
      name,
      String(samples),
      text(p50Ms),
      text(p95Ms),
      text(maxMs),
      `< ${targetMs} ms, ${maxMs < targetMs ? 'met' : 'MISSED'}`,
    ]),
  ]);
}
