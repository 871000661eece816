/** Batch upserts of teams by external id. */
import { rejectInvalid } from '../../../schema/errors.ts';
import { upsertOutcome, writeBatch, type BatchResult } from '../../../platform/writes/batch.ts';
import { externalIdOrder, findByExternalId, firstExternalId } from '../../../platform/writes/external-id.ts';
import { lockRow, requireAccount } from '../../../platform/writes/resource.ts';
import { registryViolation } from '../../runtime/input-violations.ts';
import type { AreaServices, Context } from '../../runtime/subgraph.ts';
import { organizationConstraints } from '../constraints.ts';
import type { CreateTeamInput } from '../resolvers.generated.ts';
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
    const request = {
      operation: 'upsertTeams',
      idempotencyKey,
      items,
      orderBy: externalIdOrder,
      constraints: organizationConstraints,
    };
    return writeBatch(writer, context, request, async (transaction, item) => {
      const id = await findByExternalId(transaction, 'team', accountId, firstExternalId(item));
      if (id === null) return upsertOutcome(null, await insertTeam(transaction, context.viewer, item));
      const before = await lockRow(transaction, teamResource, id);
      rejectInvalid([
        item.sport !== before.sport && {
          pointer: '/sport',
          code: 'immutable',
          detail: `The sport of this team is ${before.sport} and cannot be changed.`,
        },
        registryViolation('/discipline', before.sport, 'discipline', item.discipline),
      ]);
      const { sport: _, organizationId: __, country: ___, ...input } = item;
      return upsertOutcome(before, await patchTeam(transaction, before, input));
    });
  };
}
