/** The parent of an organization. */
import { rejectInvalid } from '../../../schema/errors.ts';
import { sql, type Queryable } from '../../../platform/database/database.ts';
import { unknownOrganizationViolation } from '../../runtime/input-violations.ts';

/**
 * Throws Problem validation_failed (422) unless the parent belongs to the same account and is neither the organization nor one of its
 * descendants.
 * @param child `id` is null for an organization that is being created
 */
export async function checkParent(
  transaction: Queryable,
  child: { readonly id: string | null; readonly accountId: string },
  parentId: string | null | undefined,
): Promise<void> {
  if (!parentId) return;
  // locks all ancestors, so that two concurrent requests cannot make organizations parents of each other
  const ancestors = await transaction.query<{ id: string; accountId: string }>(sql`/* organizations.parents */
    with recursive parent as (
      select id, parent_organization_id from organization where id = ${parentId}
      union select o.id, o.parent_organization_id from organization o join parent p on o.id = p.parent_organization_id
    )
    select id, account_id as "accountId" from organization where id in (select id from parent) for key share`);
  rejectInvalid([
    ancestors.find(({ id }) => id === parentId)?.accountId !== child.accountId &&
      unknownOrganizationViolation('/parentOrganizationId', 'The parent must be an organization of the same account.'),
    ancestors.some(({ id }) => id === child.id) && {
      pointer: '/parentOrganizationId',
      code: 'cycle',
      detail: 'An organization cannot be its own ancestor.',
    },
  ]);
}
