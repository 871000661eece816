/** Somebody who administers, before a browser: signed in, without filling in the sign-in each time. */
import type { Role } from '../../schema/roles.ts';
import type { AdministratorClient } from '../administrator.ts';
import type { Browser, Look, Visit } from '../browser.ts';
import type { World } from '../world.ts';

export interface SignedInVisit extends Visit {
  readonly who: AdministratorClient;
}

/** A visit of an administrator with a role, or of one who is there already. The page is at an address that shows nothing. */
export async function visitAs(
  browser: Browser,
  world: World,
  who: Role | AdministratorClient,
  look?: Look,
): Promise<SignedInVisit> {
  const administrator = typeof who === 'string' ? await world.administrator(who) : who;
  const { email, password } = administrator;
  const visit = await browser.visit(world.graphqlUrl, look);
  await visit.page.goto('/admin/session');
  // by the page itself: a cookie of a `__Host-` name can be set by the host alone
  const body = JSON.stringify(JSON.stringify({ email, password }));
  const status: unknown = await visit.page.evaluate(
    `fetch('/admin/session', { method: 'POST', headers: { 'content-type': 'application/json' }, body: ${body} }).then(({ status }) => status)`,
  );
  if (status !== 200) throw new Error(`no session: ${String(status)}`);
  return { ...visit, who: administrator };
}
