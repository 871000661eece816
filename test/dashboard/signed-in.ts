/** Somebody who administers, before a browser: signed in, without filling in the sign-in each time. */
import type { Role } from '../../schema/roles.ts';
import type { AdministratorClient } from '../administrator.ts';
import type { Browser, Look, Visit } from '../browser.ts';
import type { TestPlatform } from '../test-platform.ts';

export interface SignedInVisit extends Visit {
  readonly who: AdministratorClient;
}

/** A visit of an administrator with a role, or of one who is there already. The page is at an address that shows nothing. */
export async function visitAs(
  browser: Browser,
  platform: TestPlatform,
  who: Role | AdministratorClient,
  look?: Look,
): Promise<SignedInVisit> {
  const administrator = typeof who === 'string' ? await platform.administrator(who) : who;
  const visit = await browser.visit(platform.graphqlUrl, look);
  await visit.signIn(administrator);
  await visit.page.goto('/admin/session');
  return { ...visit, who: administrator };
}
