/** Resolvers of the activity of an account. They return the names of changed members, not their values: those may name administrators. */
import { keysOf } from '../../../schema/records.ts';
import type { AreaServices } from '../../runtime/subgraph.ts';
import { forMembers } from '../access.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import { createResourceNames, hasName } from '../audit/resource-names.ts';
import type { PortalUserReads } from '../portal-users/reads.ts';
import { activityTypes, createActivityReads, type ActivityRow } from './reads.ts';

/** Whether members read the reason of a change: their own, and those that the resource itself shows them. Others are notes of the operator. */
const isForMembers = ({ actor, resourceType, action }: ActivityRow): boolean =>
  actor.kind === 'MEMBER' ||
  actor.kind === 'KEY' ||
  resourceType === activityTypes.PLAN_REQUEST ||
  resourceType === activityTypes.VERIFICATION_REQUEST ||
  (resourceType === activityTypes.API_KEY && action === 'revoke');

/** The activity of an account, for its members. */
export function activityResolvers(services: AreaServices, users: PortalUserReads) {
  const activity = createActivityReads(services);
  const resourceNames = createResourceNames(services.database);
  return {
    Query: {
      accountActivity: forMembers((args, _, { accountId }) => activity.list(accountId, args)),
    },
    AccountActivity: {
      resourceType({ resourceType }) {
        const name = keysOf(activityTypes).find((each) => activityTypes[each] === resourceType);
        if (name === undefined) throw new Error(`The activity of accounts has no resource type ${resourceType}`);
        return name;
      },
      resourceName: ({ resourceType, resourceId }, _, context) =>
        hasName(resourceType) ? context.load(resourceNames, resourceId) : null,
      actorKind: ({ actor }) => actor.kind,
      async actorName({ actor }, _, context) {
        if (actor.userId) return (await context.load(users.byId, actor.userId))?.name ?? null;
        return actor.keyId ?? null;
      },
      changedFields: ({ changes }) => Object.keys(changes),
      reason: (change) => (isForMembers(change) ? change.reason : null),
    },
  } satisfies Resolvers;
}
