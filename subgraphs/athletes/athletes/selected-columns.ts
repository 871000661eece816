/** The columns that a list of athletes selects for the requested fields. */
import { sql } from '../../../platform/database/database.ts';
import type { Viewer } from '../../../schema/viewer.ts';
import { externalIdsOfRow } from '../../../platform/writes/external-id.ts';
import { createSelectedColumns } from '../../runtime/selected-columns.ts';
import { currentFirst, isCurrentAndVisible } from './current-membership.ts';
import { athleteResource } from './rows.ts';

const membership = {
  name: 'currentMembership',
  value: (viewer: Viewer) => sql`select json_build_object('organizationId', m.organization_id, 'teamId', m.team_id)
    from membership m where m.athlete_id = athlete.id and ${isCurrentAndVisible(viewer)} order by ${currentFirst} limit 1`,
};

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
    moderationReason: ['id', 'status', 'verification'],
    organization: ['id'],
    team: ['id'],
    milestones: ['id', 'dateOfBirth', 'birthYear'],
    statistics: ['id'],
    imageUrl: ['imageId'],
  },
  joined: {
    externalIds: { name: 'externalIds', value: () => externalIdsOfRow(athleteResource.type, sql`athlete.id`) },
    organization: membership,
    team: membership,
  },
});
