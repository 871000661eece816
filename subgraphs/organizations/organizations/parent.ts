/** The organization that another is part of. */
import { rejectInvalid } from '../../../schema/errors.ts';
import { sql, type Queryable } from '../../../platform/database/database.ts';
import { unknownOrganizationViolation } from '../../runtime/input-violations.ts';

/**
 * Throws Problem validation_failed (422) unless the parent is of the same account and neither the organization nor a part of it.
 * @param part `id` is null for an organization that is not there yet
 */
export async function checkParent(
  transaction: Queryable,
  part: { readonly id: string | null; readonly accountId: string },
  parentId: string | null | undefined,
): Promise<void> {
  if (!parentId) return;
  // Locked all the way up: two that become parts of each other at the same moment meet, and the second sees the first.
  const chain = await transaction.query<{ id: string; accountId: string }>(sql`/* organizations.parents */
    with recursive parent as (
      select id, parent_organization_id from organization where id = ${parentId}
      union select o.id, o.parent_organization_id from organization o join parent p on o.id = p.parent_organization_id
    )
    select id, account_id as "accountId" from organization where id in (select id from parent) for key share`);
  rejectInvalid([
    chain.find(({ id }) => id === parentId)?.accountId !== part.accountId &&
      unknownOrganizationViolation('/parentOrganizationId', 'The parent must be an organization of the same account.'),
    chain.some(({ id }) => id === part.id) && {
      pointer: '/parentOrganizationId',
      code: 'cycle',
      detail: 'An organization is not part of itself, nor of its own parts.',
    },
  ]);
}
