/** Writes of memberships: each party can propose, confirm, decline and end one; its facts belong to the organization. */
import { Problem, rejectInvalid, type Violation } from '../../../schema/errors.ts';
import { owns, type Viewer } from '../../../schema/viewer.ts';
import { rowValues } from '../../../platform/database/columns.ts';
import { sql } from '../../../platform/database/database.ts';
import type { InputPatch } from '../../../platform/database/table.ts';
import { difference } from '../../../platform/writes/change.ts';
import type { ExternalId } from '../../../platform/writes/external-id.ts';
import { requireVersion } from '../../../platform/writes/precondition.ts';
import { changeRow, insertResource, patchResource, requireAccount } from '../../../platform/writes/resource.ts';
import { nextState } from '../../../platform/writes/transition.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { positionViolations } from '../../runtime/input-violations.ts';
import { replaysOf, type AreaServices, type Context } from '../../runtime/subgraph.ts';
import type {
  CreateMembershipInput,
  OrganizationStatus,
  TransferMembershipInput,
  UpdateMembershipInput,
} from '../generated/resolvers.ts';
import { leave } from '../transfers/career.ts';
import { cancelTransferTo, completeTransferTo } from '../transfers/completion.ts';
import { transferResource } from '../transfers/rows.ts';
import { dayBefore, today } from './days.ts';
import { rejectDuplicateProposal } from './duplicate-proposal.ts';
import { actorsOf, lockForParty, resolveMembership } from './parties.ts';
import type { MembershipReads } from './reads.ts';
import { loadReferences, type MembershipReferences, type ReferenceReads } from './references.ts';
import { membershipResource, memberships, type MembershipRow } from './rows.ts';
import { endViolation, membershipTransitions, type MembershipVerb } from './rules.ts';

/**
 * Locks the status of a membership's organization until the commit and returns it, or null without an organization. Call it before the
 * membership is locked, because all writes lock the organization first.
 */
async function lockOrganizationOf(transaction: WriteTransaction, id: string): Promise<OrganizationStatus | null> {
  const [row] = await transaction.query<{ status: OrganizationStatus }>(sql`/* memberships.lockOrganization */
    select status from organization where id = (select organization_id from membership where id = ${id}) for key share`);
  return row?.status ?? null;
}

/** Inserts a membership with its external ids, which belong to the caller. Throws Problem validation_failed (422), not_owner (403), conflict (409). */
export async function insertMembership(
  transaction: WriteTransaction,
  viewer: Viewer,
  input: CreateMembershipInput,
  references: MembershipReferences,
): Promise<MembershipRow> {
  const values = resolveMembership(viewer, input, references);
  await rejectDuplicateProposal(transaction, values);
  const { athleteId } = values;
  const data = athleteId ? { athleteId } : {};
  return insertResource(transaction, membershipResource, values, input.externalIds, data, requireAccount(viewer));
}

/**
 * The athlete's account can repeat the facts of a membership and set its own external ids. Only the organization's account can change
 * facts. Throws Problem not_owner (403).
 */
export function rejectForeignChange(viewer: Viewer, before: MembershipRow, patch: InputPatch<MembershipRow>): void {
  if (owns(viewer, before.accountId)) return;
  const given = Object.fromEntries(Object.entries<unknown>(patch).filter(([, value]) => value !== undefined));
  if (Object.keys(difference(before, { ...before, ...given })).length > 0)
    throw new Problem('not_owner', 'Only the account of the organization can change the facts of a membership.');
}

/** Applies a merge patch to a locked membership. External ids belong to the caller. */
export function patchMembership(
  transaction: WriteTransaction,
  viewer: Viewer,
  before: MembershipRow,
  patch: InputPatch<MembershipRow>,
  externalIds: readonly ExternalId[] | null | undefined,
): Promise<MembershipRow> {
  return patchResource(transaction, membershipResource, before, patch, externalIds, {}, requireAccount(viewer));
}

/** Violations of changed facts of a membership. */
export function changeViolations(
  before: MembershipRow,
  { positions, startDate, endDate }: Pick<UpdateMembershipInput, 'positions' | 'startDate' | 'endDate'>,
): (Violation | null)[] {
  return [
    ...(before.sport ? positionViolations('/positions', before.sport, positions) : []),
    endViolation({ startDate, endDate }),
  ];
}

interface TransitionArguments {
  readonly id: string;
  readonly endDate?: string | null | undefined;
  readonly idempotencyKey?: string | null | undefined;
}

/** Moves a membership to another status, in the role that the viewer has in it. A transfer that waits for the membership follows. */
export async function moveMembership(
  transaction: WriteTransaction,
  viewer: Viewer,
  verb: MembershipVerb,
  { id, endDate }: TransitionArguments,
): Promise<MembershipRow> {
  const organizationStatus = verb === 'confirm' ? await lockOrganizationOf(transaction, id) : null;
  const row = await lockForParty(transaction, viewer, id);
  const status = nextState(membershipTransitions, verb, row.status, actorsOf(viewer, row));
  if (organizationStatus && organizationStatus !== 'ACTIVE')
    throw new Problem(
      'invalid_transition',
      `The organization is ${organizationStatus}. Members can join an ACTIVE organization only.`,
    );
  if (verb === 'confirm') await completeTransferTo(transaction, row);
  if (verb === 'decline') await cancelTransferTo(transaction, row);
  const values = verb === 'end' ? { status, endDate: endDate ?? row.endDate ?? today() } : { status };
  if (verb === 'end') rejectInvalid([endViolation({ ...row, ...values })]);
  return changeRow(transaction, membershipResource, row, values, { action: verb, event: 'membership.status_changed' });
}

/** Records the transfer of an athlete from one membership to the next. Its owner is the account of the new organization. */
async function recordTransfer(
  transaction: WriteTransaction,
  viewer: Viewer,
  left: MembershipRow,
  joined: MembershipRow,
  date: string,
): Promise<void> {
  const { athleteId, personAccountId } = joined;
  if (athleteId === null || personAccountId === null) return;
  const values = {
    accountId: joined.accountId,
    fromAccountId: left.accountId,
    personAccountId,
    status: 'COMPLETED',
    type: joined.type === 'LOAN' ? 'LOAN' : 'PERMANENT',
    date,
    athleteId,
    sport: joined.sport,
    fromOrganizationId: left.organizationId,
    fromTeamId: left.teamId,
    fromMembershipId: left.id,
    toOrganizationId: joined.organizationId,
    toTeamId: joined.teamId,
    toMembershipId: joined.id,
  } as const;
  await insertResource(transaction, transferResource, values, null, { athleteId }, requireAccount(viewer));
}

/** Ends a membership, or marks it as on loan, and inserts the next one. Both parties of the new membership must be the caller. */
async function transfer(
  transaction: WriteTransaction,
  viewer: Viewer,
  id: string,
  input: TransferMembershipInput,
  references: MembershipReferences,
): Promise<MembershipRow> {
  const before = await lockForParty(transaction, viewer, id);
  nextState(membershipTransitions, 'end', before.status, actorsOf(viewer, before));
  const next: CreateMembershipInput = {
    ...input,
    personType: before.personType,
    personId: before.athleteId,
    personName: before.personName,
    role: input.role ?? before.role,
    positions: before.positions,
  };
  const early = endViolation({ startDate: before.startDate, endDate: dayBefore(input.startDate) });
  rejectInvalid([early && { ...early, pointer: '/startDate' }]);
  if (resolveMembership(viewer, next, references).status !== 'ACTIVE') {
    const detail =
      'A transfer requires that both parties of the new membership belong to your account. Propose it with POST /organizations/transfers.';
    throw new Problem('not_owner', detail);
  }
  await leave(transaction, before, { type: input.type === 'LOAN' ? 'LOAN' : 'PERMANENT', date: input.startDate });
  const joined = await insertMembership(transaction, viewer, next, references);
  await recordTransfer(transaction, viewer, before, joined, input.startDate);
  return joined;
}

/** Creates the writes of memberships. */
export function createMembershipWrites({ writer }: AreaServices, reads: MembershipReads, others: ReferenceReads) {
  const replay = replaysOf(reads.byId);

  return {
    async create(context: Context, input: CreateMembershipInput, key: string | null | undefined): Promise<MembershipRow> {
      requireAccount(context.viewer);
      const references = await loadReferences(context, others, [input]);
      const work = (transaction: WriteTransaction) => insertMembership(transaction, context.viewer, input, references);
      return writer.write(context, work, replay(context, 'createMembership', key, input));
    },
    update(context: Context, id: string, input: UpdateMembershipInput, ifMatch: string): Promise<MembershipRow> {
      return writer.write(context, async (transaction) => {
        const before = await lockForParty(transaction, context.viewer, id);
        const { externalIds, ...members } = input;
        const values = rowValues(memberships, members);
        rejectForeignChange(context.viewer, before, values);
        requireVersion(ifMatch, before.version);
        rejectInvalid(changeViolations(before, { startDate: before.startDate, endDate: before.endDate, ...input }));
        return patchMembership(transaction, context.viewer, before, values, externalIds);
      });
    },
    transition(context: Context, verb: MembershipVerb, args: TransitionArguments): Promise<MembershipRow> {
      const { id, endDate, idempotencyKey } = args;
      const work = (transaction: WriteTransaction) => moveMembership(transaction, context.viewer, verb, args);
      return writer.write(context, work, replay(context, `${verb}Membership`, idempotencyKey, { id, endDate }));
    },
    async transfer(
      context: Context,
      id: string,
      input: TransferMembershipInput,
      key: string | null | undefined,
    ): Promise<MembershipRow> {
      const [known] = await reads.read([id]);
      const references = await loadReferences(context, others, [{ ...input, personId: known?.athleteId ?? null }]);
      const work = (transaction: WriteTransaction) => transfer(transaction, context.viewer, id, input, references);
      return writer.write(context, work, replay(context, 'transferMembership', key, { id, input }));
    },
  };
}
