/** Memberships: their writes, and which side may make them. */
import { Problem, rejectInvalid } from '../../../schema/errors.ts';
import { owns, type Viewer } from '../../../schema/viewer.ts';
import { upsertOutcome, writeBatch, type BatchResult } from '../../../platform/writes/batch.ts';
import { difference } from '../../../platform/writes/change.ts';
import { sql } from '../../../platform/database/database.ts';
import { externalIdOrder, findByExternalId, firstExternalId } from '../../../platform/writes/external-id.ts';
import { requireVersion } from '../../../platform/writes/precondition.ts';
import { changeRow, insertResource, patchResource, requireAccount } from '../../../platform/writes/resource.ts';
import { lockAsParty } from '../../../platform/writes/parties.ts';
import { nextState } from '../../../platform/writes/transition.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { replaysOf, type AreaServices, type Context } from '../../runtime/subgraph.ts';
import { organizationConstraints } from '../constraints.ts';
import type {
  CreateMembershipInput,
  OrganizationStatus,
  TransferMembershipInput,
  UpdateMembershipInput,
} from '../resolvers.generated.ts';
import { positionViolations } from '../../runtime/input-violations.ts';
import { membershipTransitions, type MembershipVerb } from '../organizations/rules.ts';
import { loadReferences, type MembershipReferences } from './references.ts';
import { membershipResource, type MembershipRow, type MembershipReads } from './reads.ts';
import { type OrganizationRow } from '../organizations/reads.ts';
import type { TeamRow } from '../teams/reads.ts';
import { actorsOf, endViolation, resolve } from './parties.ts';
import { rejectDuplicateProposal } from './duplicate-proposal.ts';

interface Readers {
  readonly organizations: (ids: readonly string[]) => Promise<OrganizationRow[]>;
  readonly teams: (ids: readonly string[]) => Promise<TeamRow[]>;
}

const lockSide = (transaction: WriteTransaction, viewer: Viewer, id: string): Promise<MembershipRow> =>
  lockAsParty(
    transaction,
    membershipResource,
    id,
    ({ accountId, personAccountId }) => owns(viewer, accountId) || owns(viewer, personAccountId),
  );

/**
 * The state of a membership's organization, held so until the commit: a suspension waits for the member, or the member for it. Null
 * where there is none. Called before the membership is locked, as whoever writes both takes the organization first.
 */
async function holdOrganizationOf(transaction: WriteTransaction, id: string): Promise<OrganizationStatus | null> {
  const [row] = await transaction.query<{ status: OrganizationStatus }>(sql`/* memberships.holdOrganization */
    select status from organization where id = (select organization_id from membership where id = ${id}) for key share`);
  return row?.status ?? null;
}

const notTheirFacts = (): Problem =>
  new Problem('not_owner', 'Only the account of the organization changes the facts of a membership.');

/** The athlete's side may repeat what it wrote, and give ids of its own; facts are the organization's. Throws Problem not_owner (403). */
function refuseForeignFacts(viewer: Viewer, before: MembershipRow, patch: Partial<MembershipRow>): void {
  if (owns(viewer, before.accountId)) return;
  const given = Object.fromEntries(Object.entries<unknown>(patch).filter(([, value]) => value !== undefined));
  if (Object.keys(difference(before, { ...before, ...given })).length > 0) throw notTheirFacts();
}

const dayBefore = (day: string): string => new Date(Date.parse(`${day}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10);
const today = (): string => new Date().toISOString().slice(0, 10);

/** Writes of memberships over the area's database. */
export function createMembershipWrites({ writer }: AreaServices, store: MembershipReads, read: Readers) {
  const insert = async (
    transaction: WriteTransaction,
    viewer: Viewer,
    input: CreateMembershipInput,
    facts: MembershipReferences,
  ): Promise<MembershipRow> => {
    const values = resolve(viewer, input, facts);
    await rejectDuplicateProposal(transaction, values);
    return insertResource(
      transaction,
      membershipResource,
      values,
      input.externalIds,
      values.athleteId ? { athleteId: values.athleteId } : {},
      requireAccount(viewer),
    );
  };
  const reloading = replaysOf(store.byId);

  return {
    async create(context: Context, input: CreateMembershipInput, key: string | null | undefined): Promise<MembershipRow> {
      requireAccount(context.viewer);
      const facts = await loadReferences(context, read, [input]);
      return writer.write(
        context,
        (transaction) => insert(transaction, context.viewer, input, facts),
        reloading(context, 'createMembership', key, input),
      );
    },
    update(context: Context, id: string, input: UpdateMembershipInput, ifMatch: string): Promise<MembershipRow> {
      return writer.write(context, async (transaction) => {
        const before = await lockSide(transaction, context.viewer, id);
        const { externalIds, ...values } = input;
        const patch = values as Partial<MembershipRow>;
        refuseForeignFacts(context.viewer, before, patch);
        requireVersion(ifMatch, before.version);
        rejectInvalid([
          ...(before.sport ? positionViolations('/positions', before.sport, input.positions) : []),
          endViolation({ ...before, ...patch }),
        ]);
        return patchResource(transaction, membershipResource, before, patch, externalIds, {}, requireAccount(context.viewer));
      });
    },
    /** Takes a step of the state machine as the side the viewer is. */
    transition(
      context: Context,
      verb: MembershipVerb,
      {
        id,
        endDate,
        idempotencyKey,
      }: { id: string; endDate?: string | null | undefined; idempotencyKey?: string | null | undefined },
    ) {
      const step = async (transaction: WriteTransaction): Promise<MembershipRow> => {
        const joined = verb === 'confirm' ? await holdOrganizationOf(transaction, id) : null;
        const row = await lockSide(transaction, context.viewer, id);
        const status = nextState(membershipTransitions, verb, row.status, actorsOf(context.viewer, row));
        if (joined && joined !== 'ACTIVE')
          throw new Problem('invalid_transition', `This organization is ${joined}: members join an active one.`);
        const values = verb === 'end' ? { status, endDate: endDate ?? row.endDate ?? today() } : { status };
        if (verb === 'end') rejectInvalid([endViolation({ ...row, ...values })]);
        return changeRow(transaction, membershipResource, row, values, { action: verb, event: 'membership.status_changed' });
      };
      return writer.write(context, step, reloading(context, `${verb}Membership`, idempotencyKey, { id, endDate }));
    },
    async transfer(
      context: Context,
      id: string,
      input: TransferMembershipInput,
      key: string | null | undefined,
    ): Promise<MembershipRow> {
      const { viewer } = context;
      const [known] = await store.read([id]);
      const facts = await loadReferences(context, read, [{ ...input, personId: known?.athleteId ?? null }]);
      const step = async (transaction: WriteTransaction): Promise<MembershipRow> => {
        const before = await lockSide(transaction, viewer, id);
        const status = nextState(membershipTransitions, 'end', before.status, actorsOf(viewer, before));
        const next: CreateMembershipInput = {
          ...input,
          personType: before.personType,
          personId: before.athleteId,
          personName: before.personName,
          role: input.role ?? before.role,
          positions: before.positions,
        };
        const endDate = dayBefore(input.startDate);
        const early = endViolation({ startDate: before.startDate, endDate });
        rejectInvalid([early && { ...early, pointer: '/startDate' }]);
        if (resolve(viewer, next, facts).status !== 'ACTIVE') {
          throw new Problem(
            'not_owner',
            'A transfer in one step needs both sides of the new membership. End this one, and ask the other side with a new one.',
          );
        }
        await changeRow(
          transaction,
          membershipResource,
          before,
          { status, endDate },
          { action: 'transfer', event: 'membership.transferred' },
        );
        return insert(transaction, viewer, next, facts);
      };
      return writer.write(context, step, reloading(context, 'transferMembership', key, { id, input }));
    },
    async upsert(
      context: Context,
      items: readonly CreateMembershipInput[],
      idempotencyKey: string | null | undefined,
    ): Promise<BatchResult> {
      const accountId = requireAccount(context.viewer);
      const facts = await loadReferences(context, read, items);
      const request = {
        operation: 'upsertMemberships',
        idempotencyKey,
        items,
        orderBy: externalIdOrder,
        constraints: organizationConstraints,
      };
      return writeBatch(writer, context, request, async (transaction, item) => {
        const id = await findByExternalId(transaction, 'membership', accountId, firstExternalId(item));
        if (id === null) return upsertOutcome(null, await insert(transaction, context.viewer, item, facts));
        const before = await lockSide(transaction, context.viewer, id);
        rejectInvalid([
          (item.personId ?? null) !== before.athleteId && {
            pointer: '/personId',
            code: 'immutable',
            detail: 'A membership keeps its person; end it and create another.',
          },
          (item.organizationId ?? null) !== before.organizationId && {
            pointer: '/organizationId',
            code: 'immutable',
            detail: 'A membership keeps its organization; transfer it instead.',
          },
          ...(before.sport ? positionViolations('/positions', before.sport, item.positions) : []),
          endViolation({ startDate: item.startDate ?? before.startDate, endDate: item.endDate ?? before.endDate }),
        ]);
        const { role, startDate, endDate, contractUntil, shirtNumber, positions, externalIds } = item;
        const patch = { role, startDate, endDate, contractUntil, shirtNumber, positions: positions ?? undefined };
        refuseForeignFacts(context.viewer, before, patch as Partial<MembershipRow>);
        return upsertOutcome(
          before,
          await patchResource(
            transaction,
            membershipResource,
            before,
            patch as Partial<MembershipRow>,
            externalIds,
            {},
            accountId,
          ),
        );
      });
    },
  };
}
