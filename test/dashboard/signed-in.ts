/** Opens a browser page with the session of an administrator, without the sign-in form. */
import type { Role } from '../../schema/roles.ts';
import type { AdministratorClient } from '../administrator.ts';
import type { Browser, Look, Visit } from '../browser.ts';
import type { TestPlatform } from '../test-platform.ts';

export interface SignedInVisit extends Visit {
  readonly who: AdministratorClient;
}

/** Signs in a new administrator with a role, or an existing one. The page displays no screen yet. */
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
