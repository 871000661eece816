/** Writes of transfers: each ends one membership and starts the next in one transaction. */
import { Problem, rejectInvalid } from '../../../schema/errors.ts';
import { owns, type Viewer } from '../../../schema/viewer.ts';
import { sql } from '../../../platform/database/database.ts';
import { applyMergePatch } from '../../../platform/writes/merge-patch.ts';
import { removeOwned } from '../../../platform/writes/lifecycle.ts';
import { lockAsParty } from '../../../platform/writes/parties.ts';
import { requireVersion } from '../../../platform/writes/precondition.ts';
import { changeRow, insertResource, patchResource, requireAccount, resourceNotFound } from '../../../platform/writes/resource.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { replaysOf, type AreaServices, type Context } from '../../runtime/subgraph.ts';
import type {
  CreateTransferInput,
  MutationConfirmTransferArgs,
  TransferFeeInput,
  UpdateTransferInput,
} from '../generated/resolvers.ts';
import { organizationConstraints } from '../constraints.ts';
import { moveMembership } from '../memberships/writes.ts';
import { membershipResource } from '../memberships/rows.ts';
import type { ReferenceReads } from '../memberships/references.ts';
import { lockMembership } from './career.ts';
import { loadTransferReferences, type TransferReferences } from './references.ts';
import type { TransferReads } from './reads.ts';
import { moveAthlete } from './move.ts';
import { transferResource, transfers, type TransferRow } from './rows.ts';
import { feeViolations, loanViolations } from './rules.ts';

/** Whether an account is a party of a transfer. The previous organization is no party before the others agreed. */
const isParty = (viewer: Viewer, row: TransferRow): boolean =>
  owns(viewer, row.accountId) ||
  owns(viewer, row.personAccountId) ||
  (row.status === 'COMPLETED' && owns(viewer, row.fromAccountId));

/** Locks a transfer for one of its parties. Throws Problem not_found (404) or not_owner (403). */
export const lockForParty = (transaction: WriteTransaction, viewer: Viewer, id: string): Promise<TransferRow> =>
  lockAsParty(transaction, transferResource, id, (row) => isParty(viewer, row));

type NewTransfer = Awaited<ReturnType<typeof moveAthlete>>;

/** Throws Problem conflict (409) for a transfer that already exists, with its ID for one of its parties. */
async function requireNew(transaction: WriteTransaction, viewer: Viewer, values: NewTransfer): Promise<void> {
  const { athleteId, date, sport, fromOrganizationId, fromTeamId, toOrganizationId, toTeamId } = values;
  const [known] = await transaction.query<TransferRow>(sql`/* transfers.same */ select ${transfers.columns} from transfer
    where athlete_id = ${athleteId ?? null} and date = ${date ?? null} and status <> 'CANCELLED'
      and (sport, from_organization_id, from_team_id, to_organization_id, to_team_id) is not distinct from (${sport ?? null}::text,
        ${fromOrganizationId ?? null}::uuid, ${fromTeamId ?? null}::uuid, ${toOrganizationId ?? null}::uuid, ${toTeamId ?? null}::uuid)
    limit 1`);
  if (!known) return;
  const { detail } = organizationConstraints.transfer_one;
  throw new Problem('conflict', detail, isParty(viewer, known) || known.published ? { existingId: known.id } : {});
}

/** Inserts a transfer with its memberships. Throws Problem validation_failed (422), not_owner (403), conflict (409). */
export async function insertTransfer(
  transaction: WriteTransaction,
  viewer: Viewer,
  input: CreateTransferInput,
  references: TransferReferences,
): Promise<TransferRow> {
  const values = await moveAthlete(transaction, viewer, input, references);
  const { athleteId } = input;
  await requireNew(transaction, viewer, values);
  return insertResource(transaction, transferResource, values, input.externalIds, { athleteId }, requireAccount(viewer));
}

/** Moves the end of a loan with its transfer, unless the loan ended on another day. */
async function extendLoan(transaction: WriteTransaction, before: TransferRow, after: TransferRow): Promise<void> {
  if (before.loanUntil === after.loanUntil) return;
  const loan = await lockMembership(transaction, after.toMembershipId);
  if (!loan || loan.status === 'ENDED' || loan.endDate !== before.loanUntil) return;
  const note = { action: 'updated', event: 'membership.updated', data: { athleteId: after.athleteId } } as const;
  await changeRow(transaction, membershipResource, loan, { endDate: after.loanUntil }, note);
}

/** A patch of a fee. A fee is disclosed unless the caller says otherwise. */
function withDisclosure({ fee: before }: TransferRow, fee: TransferFeeInput): TransferFeeInput {
  const isDefault = fee.disclosed === null || (before === null && fee.disclosed === undefined);
  return isDefault ? { ...fee, disclosed: true } : fee;
}

/** Applies a merge patch to a locked transfer. External ids belong to the caller. Throws Problem validation_failed (422), not_owner (403). */
export async function patchTransfer(
  transaction: WriteTransaction,
  viewer: Viewer,
  before: TransferRow,
  { fee, loanUntil, externalIds }: UpdateTransferInput,
): Promise<TransferRow> {
  const patch = { fee: fee && withDisclosure(before, fee), loanUntil };
  rejectInvalid([
    ...feeViolations(before.type, applyMergePatch({ fee: before.fee }, { fee: patch.fee }).fee),
    ...loanViolations(before.type, before.date, loanUntil),
  ]);
  const changes = fee !== undefined || (loanUntil !== undefined && loanUntil !== before.loanUntil);
  if (changes && !owns(viewer, before.accountId))
    throw new Problem('not_owner', 'Only the account that owns a transfer can change its fee and its loan.');
  const after = await patchResource(
    transaction,
    transferResource,
    before,
    patch,
    externalIds,
    { athleteId: before.athleteId },
    requireAccount(viewer),
  );
  await extendLoan(transaction, before, after);
  return after;
}

async function readRow(transaction: WriteTransaction, viewer: Viewer, id: string): Promise<TransferRow> {
  const [row] = await transaction.query<TransferRow>(
    sql`/* transfers.byId */ select ${transfers.columns} from transfer where id = ${id}`,
  );
  if (row && isParty(viewer, row)) return row;
  if (row?.published) throw new Problem('not_owner', 'Your account is not a party to this transfer.');
  throw resourceNotFound('transfer', id);
}

/** Confirms or declines the membership that a transfer waits for; the transfer follows. */
async function settleTransfer(
  transaction: WriteTransaction,
  viewer: Viewer,
  verb: 'confirm' | 'decline',
  id: string,
): Promise<TransferRow> {
  // memberships are locked before their transfers, as when the membership itself is confirmed
  const { status, toMembershipId } = await readRow(transaction, viewer, id);
  if (status !== 'PENDING' || toMembershipId === null)
    throw new Problem('invalid_transition', `You cannot ${verb} a transfer in state ${status}.`, {
      state: status,
      allowedTransitions: [],
    });
  await moveMembership(transaction, viewer, verb, { id: toMembershipId });
  return readRow(transaction, viewer, id);
}

function rejectPending({ status }: TransferRow): void {
  if (status === 'PENDING') throw new Problem('in_use', 'This transfer awaits a response. Decline it instead.');
}

/** Creates the writes of transfers. */
export function createTransferWrites({ writer }: AreaServices, reads: TransferReads, others: ReferenceReads) {
  const replay = replaysOf(reads.byId);

  return {
    async create(context: Context, input: CreateTransferInput, key: string | null | undefined): Promise<TransferRow> {
      requireAccount(context.viewer);
      const references = await loadTransferReferences(context, others, [input]);
      const work = (transaction: WriteTransaction) => insertTransfer(transaction, context.viewer, input, references);
      return writer.write(context, work, replay(context, 'createTransfer', key, input));
    },
    update(context: Context, id: string, input: UpdateTransferInput, ifMatch: string): Promise<TransferRow> {
      return writer.write(context, async (transaction) => {
        const before = await lockForParty(transaction, context.viewer, id);
        requireVersion(ifMatch, before.version);
        return patchTransfer(transaction, context.viewer, before, input);
      });
    },
    settle(
      context: Context,
      verb: 'confirm' | 'decline',
      { id, idempotencyKey }: MutationConfirmTransferArgs,
    ): Promise<TransferRow> {
      const work = (transaction: WriteTransaction) => settleTransfer(transaction, context.viewer, verb, id);
      return writer.write(context, work, replay(context, `${verb}Transfer`, idempotencyKey, { id }));
    },
    remove(context: Context, id: string, ifMatch: string): Promise<TransferRow> {
      return writer.write(context, (transaction) =>
        removeOwned(transaction, transferResource, context.viewer, { id, ifMatch }, rejectPending),
      );
    },
  };
}
