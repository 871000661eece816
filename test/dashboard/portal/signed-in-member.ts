/** Opens a browser page with the session of a member of an account, without the sign-in form. */
import type { Browser, ViewOptions, Visit } from '../../browser.ts';
import type { MemberRole } from '../../../schema/member-roles.ts';
import { createMember, type MemberClient } from '../../member.ts';
import type { TestPlatform } from '../../test-platform.ts';

export interface MemberVisit extends Visit {
  readonly member: MemberClient;
}

/** Signs in a new member with a role in a new account, or an existing one. The page displays no screen yet. */
export async function visitAsMember(
  browser: Browser,
  platform: TestPlatform,
  actor: MemberRole | MemberClient,
  viewOptions?: ViewOptions,
): Promise<MemberVisit> {
  const member = typeof actor === 'string' ? await createMember(platform, { role: actor }) : actor;
  const visit = await browser.visit(platform.graphqlUrl, viewOptions);
  await visit.signIn(member);
  await visit.page.goto('/portal/session');
  return { ...visit, member };
}
