/** The columns of organizations that other areas' entities select. */
import { createSelectedColumns } from '../../runtime/selected-columns.ts';
import { organizations } from './rows.ts';

export const selectedColumns = createSelectedColumns(organizations, {
  always: ['id', 'accountId', 'version', 'status', 'sports'],
  fields: {
    __typename: [],
    externalIds: ['id'],
    moderationReason: ['id', 'verification'],
    teams: ['id'],
    members: ['id'],
    parentOrganization: ['parentOrganizationId'],
    imageUrl: ['imageId', 'logoUrl'],
  },
});
