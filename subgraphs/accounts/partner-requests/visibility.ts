/** Who reads requests of partners to the operator. */
import { sql, type Sql } from '../../../platform/database/database.ts';
import { requireAccount } from '../../../platform/writes/resource.ts';
import { hasFullAccess, owns, type Viewer } from '../../../schema/viewer.ts';
import { requireMember } from '../access.ts';

/** Whether the viewer reads the request: members of its account and administrators. */
export const isVisibleTo = (viewer: Viewer, { accountId }: { readonly accountId: string }): boolean =>
  (viewer.kind === 'MEMBER' && owns(viewer, accountId)) || hasFullAccess(viewer);

/** Limits a list to the member's account, except for administrators. Throws Problem sign_in_required (401) for other viewers. */
export function visibleCondition(viewer: Viewer, accountColumn: Sql): Sql[] {
  if (hasFullAccess(viewer)) return [];
  requireMember(viewer);
  return [sql`${accountColumn} = ${requireAccount(viewer)}`];
}
