/** Saves searches and runs them, for tests of what they find. */
import { expect } from '@jest/globals';
import type { Client } from '../../client.ts';
import { queryRows } from '../../rows.ts';
import type { TestPlatform } from '../../test-platform.ts';

/** Saves a search. Returns its path. */
export async function saveSearch(account: Client, filter: object, more: object = {}): Promise<string> {
  const { status, body } = await account.post('/saved-searches', { name: 'Left backs', filter, ...more });
  expect({ status, body }).toMatchObject({ status: 201, body: { filter, version: 1, lastMatchedAt: null } });
  return `/saved-searches/${body.id}`;
}

/** Runs the searches that are due. */
export async function runDue(platform: TestPlatform): Promise<void> {
  await platform.settled();
  await platform.maintain();
  await platform.settled();
}

/** Lets the interval of all searches pass. */
export async function letIntervalsPass({ database }: Pick<TestPlatform, 'database'>): Promise<void> {
  await queryRows(database, "update scouting.saved_search set next_run_at = now() - interval '1 second'");
}

/** Lets the interval of all searches pass, and runs them. */
export async function runAll(platform: TestPlatform): Promise<void> {
  await platform.settled();
  await letIntervalsPass(platform);
  await runDue(platform);
}

/** The ids of what a search found, newest first. */
export async function foundBy(account: Client, search: string, query = ''): Promise<string[]> {
  const { status, body } = await account.get(`${search}/matches?limit=100${query}`);
  expect({ status, body }).toMatchObject({ status: 200 });
  interface Match {
    readonly athlete: { readonly id: string } | null;
    readonly prospect: { readonly athlete: { readonly id: string } } | null;
    readonly opportunity: { readonly id: string } | null;
  }
  return body.data.map(
    ({ athlete, prospect, opportunity }: Match) => athlete?.id ?? prospect?.athlete.id ?? opportunity?.id ?? 'nothing',
  );
}

/** The number of events that report matches of a search to an account. */
export async function alertsOf(platform: TestPlatform, account: Client, search: string): Promise<number> {
  await platform.settled();
  const id = search.split('/').at(-1) ?? '';
  const { status, body } = await account.get(`/events?type=saved_search.matched&resourceId=${id}&limit=100`);
  expect(status).toBe(200);
  for (const event of body.data) expect(event).toMatchObject({ resource: { type: 'saved_search', id }, data: null });
  return body.data.length;
}
