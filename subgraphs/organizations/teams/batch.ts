/** Batch upserts of teams by external id. */
import { rejectInvalid } from '../../../schema/errors.ts';
import type { BatchResult } from '../../../platform/writes/batch.ts';
import { requireAccount } from '../../../platform/writes/resource.ts';
import { immutableViolation, upsertByExternalId } from '../../../platform/writes/upsert.ts';
import { registryViolation } from '../../runtime/input-violations.ts';
import type { AreaServices, Context } from '../../runtime/subgraph.ts';
import { organizationConstraints } from '../constraints.ts';
import type { CreateTeamInput } from '../generated/resolvers.ts';
import { teamResource } from './rows.ts';
import { insertTeam, patchTeam } from './writes.ts';

/** Creates the mutation that creates or updates each item by its first external id. The organization of a team does not change. */
export function createTeamBatch({ writer }: AreaServices) {
  return function upsert(
    context: Context,
    items: readonly CreateTeamInput[],
    idempotencyKey: string | null | undefined,
  ): Promise<BatchResult> {
    const accountId = requireAccount(context.viewer);
    return upsertByExternalId(writer, context, {
      operation: 'upsertTeams',
      idempotencyKey,
      items,
      constraints: organizationConstraints,
      resource: teamResource,
      accountId,
      insert: (transaction, item) => insertTeam(transaction, context.viewer, item),
      update: (transaction, before, { sport, organizationId: _, country: __, ...input }) => {
        rejectInvalid([
          sport !== before.sport &&
            immutableViolation('sport', `The sport of this team is ${before.sport} and cannot be changed.`),
          registryViolation('/discipline', before.sport, 'discipline', input.discipline),
        ]);
        return patchTeam(transaction, before, input);
      },
    });
  };
}
