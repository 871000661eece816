/** Batch upsert of replays by external ID. */
import { rejectInvalid } from '../../../schema/errors.ts';
import type { BatchResult } from '../../../platform/writes/batch.ts';
import { requireAccount } from '../../../platform/writes/resource.ts';
import { immutableViolation, upsertByExternalId } from '../../../platform/writes/upsert.ts';
import { athletesById } from '../../clients/athlete-facts.ts';
import type { AreaServices, Context } from '../../runtime/subgraph.ts';
import { competitionConstraints } from '../constraints.ts';
import type { CreateReplayInput } from '../generated/resolvers.ts';
import { insertReplay } from './insert.ts';
import { patchReplay } from './patch.ts';
import { publishAsOwner } from './publish.ts';
import type { ReplayReads } from './reads.ts';
import { replayResource } from './rows.ts';
import { statusAt } from './rules.ts';
import { replayValues } from './values.ts';

/** Creates the batch upsert of replays. */
export function createReplayBatch({ writer }: AreaServices, reads: ReplayReads) {
  return {
    async upsert(
      context: Context,
      items: readonly CreateReplayInput[],
      idempotencyKey: string | null | undefined,
    ): Promise<BatchResult> {
      const accountId = requireAccount(context.viewer);
      const existing = await reads.athletesOfExternal(accountId, items);
      const athletes = await athletesById(context, [...existing, ...items.map(({ athleteId }) => athleteId)]);
      return upsertByExternalId(writer, context, {
        operation: 'upsertReplays',
        idempotencyKey,
        items,
        constraints: competitionConstraints,
        resource: replayResource,
        accountId,
        insert: (transaction, item) => insertReplay(transaction, context.viewer, item, athletes),
        update: (transaction, before, item) => {
          rejectInvalid(
            (['matchId', 'athleteId'] as const).map(
              (member) =>
                (item[member] ?? null) !== before[member] &&
                immutableViolation(member, `The \`${member}\` of a replay cannot change.`),
            ),
          );
          return patchReplay(transaction, before, replayValues(item), item.externalIds, athletes);
        },
        status: {
          verbs: ['publish'],
          // a replay of a minor is reviewed in the status that a new one gets instead of PUBLISHED
          statusOf: (row) => (statusAt(row) === 'REVIEW' ? 'PUBLISHED' : statusAt(row)),
          apply: (transaction, row) => publishAsOwner(transaction, context.viewer, row, athletes),
        },
      });
    },
  };
}
