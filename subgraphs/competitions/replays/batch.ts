/** Batch upsert of replays by external ID. */
import { rejectInvalid } from '../../../schema/errors.ts';
import { upsertOutcome, writeBatch, type BatchResult } from '../../../platform/writes/batch.ts';
import { externalIdOrder, findByExternalId, firstExternalId } from '../../../platform/writes/external-id.ts';
import { lockRow, requireAccount } from '../../../platform/writes/resource.ts';
import { athletesById } from '../../clients/athlete-facts.ts';
import type { AreaServices, Context } from '../../runtime/subgraph.ts';
import { competitionConstraints } from '../constraints.ts';
import type { CreateReplayInput } from '../resolvers.generated.ts';
import { insertReplay } from './insert.ts';
import { patchReplay } from './patch.ts';
import type { ReplayReads } from './reads.ts';
import { replayResource } from './rows.ts';
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
      const constraints = competitionConstraints;
      const request = { operation: 'upsertReplays', idempotencyKey, items, orderBy: externalIdOrder, constraints };
      return writeBatch(writer, context, request, async (transaction, item) => {
        const id = await findByExternalId(transaction, 'replay', accountId, firstExternalId(item));
        if (id === null) return upsertOutcome(null, await insertReplay(transaction, context.viewer, item, athletes));
        const before = await lockRow(transaction, replayResource, id);
        rejectInvalid(
          (['matchId', 'athleteId'] as const).map(
            (member) =>
              (item[member] ?? null) !== before[member] && {
                pointer: `/${member}`,
                code: 'immutable',
                detail: `The \`${member}\` of a replay cannot change.`,
              },
          ),
        );
        return upsertOutcome(before, await patchReplay(transaction, before, replayValues(item), item.externalIds, athletes));
      });
    },
  };
}
