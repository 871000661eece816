/** An account whose plan has write access, with the client of its API key and a member. */
import type { Browser } from '../../browser.ts';
import type { Client } from '../../client.ts';
import type { MemberRole } from '../../../schema/member-roles.ts';
import { createMember } from '../../member.ts';
import type { TestPlatform } from '../../test-platform.ts';
import { visitAsMember, type MemberVisit } from './signed-in-member.ts';

export interface AccountWithKey {
  /** The client of an API key of the operator. */
  readonly owner: Client;
  readonly accountId: string;
}

export async function createAccountWithKey(platform: TestPlatform, name: string): Promise<AccountWithKey> {
  const owner = await platform.account({ account: name });
  const { body } = await owner.get('/me');
  return { owner, accountId: body.account.id };
}

/** Opens a narrow page with the session of a new member of an account. */
export async function visitNarrow(
  browser: Browser,
  platform: TestPlatform,
  accountId: string,
  role: MemberRole,
): Promise<MemberVisit> {
  const member = await createMember(platform, { role, accountId });
  return visitAsMember(browser, platform, member, { width: 390, height: 844 });
}
