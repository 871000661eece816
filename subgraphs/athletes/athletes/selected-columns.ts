/** The columns that a list of athletes selects for the requested fields. */
import { createSelectedColumns } from '../../runtime/selected-columns.ts';
import { athleteResource } from './rows.ts';

export const selectedColumns = createSelectedColumns(athleteResource.table, {
  always: [
    'id',
    'accountId',
    'version',
    'createdAt',
    'updatedAt',
    'displayName',
    'adultFrom',
    'consentScopes',
    'activatedAsMinor',
  ],
  fields: {
    __typename: [],
    ref: ['id'],
    applicant: ['id'],
    lives: [],
    age: ['dateOfBirth'],
    ageGroup: ['dateOfBirth', 'birthYear'],
    restricted: [],
    externalIds: ['id'],
    organization: ['id'],
    team: ['id'],
    statistics: ['id'],
  },
});
