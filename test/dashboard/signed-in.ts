/** Opens a browser page with the session of an administrator, without the sign-in form. */
import type { Role } from '../../schema/roles.ts';
import type { AdministratorClient } from '../administrator.ts';
import type { Browser, ViewOptions, Visit } from '../browser.ts';
import type { TestPlatform } from '../test-platform.ts';

export interface SignedInVisit extends Visit {
  readonly signedIn: AdministratorClient;
}

/** Signs in a new administrator with a role, or an existing one. The page displays no screen yet. */
export async function visitAs(
  browser: Browser,
  platform: TestPlatform,
  actor: Role | AdministratorClient,
  viewOptions?: ViewOptions,
): Promise<SignedInVisit> {
  const administrator = typeof actor === 'string' ? await platform.administrator(actor) : actor;
  const visit = await browser.visit(platform.graphqlUrl, viewOptions);
  await visit.signIn(administrator);
  await visit.page.goto('/admin/session');
  return { ...visit, signedIn: administrator };
}
