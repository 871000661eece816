/** Batch upserts of absences by external id. */
import { rejectInvalid } from '../../../schema/errors.ts';
import type { BatchResult } from '../../../platform/writes/batch.ts';
import { requireAccount } from '../../../platform/writes/resource.ts';
import { immutableViolation, upsertByExternalId } from '../../../platform/writes/upsert.ts';
import type { AreaServices, Context } from '../../runtime/subgraph.ts';
import { athleteConstraints } from '../constraints.ts';
import type { CreateAbsenceInput } from '../generated/resolvers.ts';
import { absenceResource } from './rows.ts';
import { insertAbsence, loadCompetitions, lockOwnAbsence, patchAbsence } from './writes.ts';

const immutable = ['athleteId', 'kind', 'competitionId'] as const;

/** Creates the mutation that creates or updates each item by its first external id. */
export function createAbsenceBatch({ writer }: AreaServices) {
  return async function upsert(
    context: Context,
    items: readonly CreateAbsenceInput[],
    idempotencyKey: string | null | undefined,
  ): Promise<BatchResult> {
    const { viewer } = context;
    const accountId = requireAccount(viewer);
    const competitions = await loadCompetitions(context, items);
    return upsertByExternalId(writer, context, {
      operation: 'upsertAbsences',
      idempotencyKey,
      items,
      constraints: athleteConstraints,
      resource: absenceResource,
      accountId,
      insert: (transaction, item) => insertAbsence(transaction, viewer, item, competitions),
      lock: (transaction, id) => lockOwnAbsence(transaction, viewer, id),
      update: (transaction, before, { athleteId, kind, competitionId, ...patch }) => {
        const item = { athleteId, kind, competitionId: competitionId ?? null };
        rejectInvalid(
          immutable.map(
            (member) =>
              item[member] !== before[member] &&
              immutableViolation(member, 'This member cannot be changed. Delete the absence and create another one.'),
          ),
        );
        return patchAbsence(transaction, viewer, before, patch);
      },
    });
  };
}
