/** Organizations: their writes. */
import { Problem, rejectInvalid } from '../../../schema/errors.ts';
import type { Viewer } from '../../../schema/viewer.ts';
import { upsertOutcome, writeBatch, type BatchResult } from '../../../platform/writes/batch.ts';
import { sql } from '../../../platform/database/database.ts';
import { externalIdOrder, findByExternalId, firstExternalId } from '../../../platform/writes/external-id.ts';
import { requireVersion } from '../../../platform/writes/precondition.ts';
import {
  changeRow,
  insertResource,
  lockForModeration,
  lockOwned,
  lockRow,
  patchResource,
  removeRow,
  requireAccount,
} from '../../../platform/writes/resource.ts';
import { nextState } from '../../../platform/writes/transition.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { replaysOf, type AreaServices, type Context } from '../../runtime/subgraph.ts';
import { verificationAfter } from '../../runtime/verification.ts';
import { organizationConstraints } from '../constraints.ts';
import type { CreateOrganizationInput, UpdateOrganizationInput } from '../resolvers.generated.ts';
import { verifiedMembers, organizationViolations, organizationTransitions, type OrganizationVerb } from './rules.ts';
import { checkParent } from './parent.ts';
import { enterPublic, leavePublic } from './publication.ts';
import { organizationResource, type OrganizationRow, type OrganizationReads } from './reads.ts';
import type { TeamWrites } from '../teams/writes.ts';
import { isPublic } from './visibility.ts';

/** One step of the state machine or of verification, and what is said with it. */
interface Step {
  readonly id: string;
  readonly reason?: string | null | undefined;
  readonly idempotencyKey?: string | null | undefined;
}

/** Row values of an input: what the table knows, with defaults where the table has none. */
function valuesOf(input: CreateOrganizationInput | UpdateOrganizationInput): Partial<OrganizationRow> {
  const { externalIds: _, ...values } = input;
  return values as Partial<OrganizationRow>;
}

/** What is seen where its organization is, and which of it belongs to one. */
const partsOf = (id: string) =>
  [
    ['team', sql`team.organization_id = ${id}`],
    ['membership', sql`membership.organization_id = ${id}`],
  ] as const;

/** Writes of organizations over the area's database. */
export function createOrganizationWrites({ writer }: AreaServices, store: OrganizationReads, teams: TeamWrites) {
  async function insert(
    transaction: WriteTransaction,
    accountId: string,
    input: CreateOrganizationInput,
  ): Promise<OrganizationRow> {
    rejectInvalid([
      ...organizationViolations(input.type, input),
      input.createTeam === true &&
        input.type !== 'CLUB' && {
          pointer: '/createTeam',
          code: 'not_for_type',
          detail: 'Only a CLUB makes its first team with itself.',
        },
    ]);
    await checkParent(transaction, { id: null, accountId }, input.parentOrganizationId);
    const row = await insertResource(transaction, organizationResource, { ...valuesOf(input), accountId }, input.externalIds);
    const [sport] = row.sports;
    if (input.createTeam === true && sport) await teams.insertFirst(transaction, row, sport);
    return row;
  }

  async function patch(
    transaction: WriteTransaction,
    viewer: Viewer,
    before: OrganizationRow,
    input: CreateOrganizationInput | UpdateOrganizationInput,
  ): Promise<OrganizationRow> {
    rejectInvalid(organizationViolations(before.type, input));
    await checkParent(transaction, before, input.parentOrganizationId);
    const { status: _, type: __, ...values } = valuesOf(input);
    const verification = verificationAfter(viewer, before, values, verifiedMembers);
    return patchResource(transaction, organizationResource, before, { ...values, verification }, input.externalIds);
  }

  const reloading = replaysOf(store.byId);
  const reloadingModerated = replaysOf(store.moderated);

  return {
    create(context: Context, input: CreateOrganizationInput, key: string | null | undefined): Promise<OrganizationRow> {
      const accountId = requireAccount(context.viewer);
      return writer.write(
        context,
        (transaction) => insert(transaction, accountId, input),
        reloading(context, 'createOrganization', key, input),
      );
    },
    update(context: Context, id: string, input: UpdateOrganizationInput, ifMatch: string): Promise<OrganizationRow> {
      return writer.write(context, async (transaction) => {
        const before = await lockOwned(transaction, organizationResource, context.viewer, id);
        requireVersion(ifMatch, before.version);
        return patch(transaction, context.viewer, before, input);
      });
    },
    remove(context: Context, id: string, ifMatch: string): Promise<OrganizationRow> {
      return writer.write(context, async (transaction) => {
        const row = await lockOwned(transaction, organizationResource, context.viewer, id);
        requireVersion(ifMatch, row.version);
        if (row.status !== 'DRAFT') throw new Problem('in_use', 'Only a draft can be deleted; close the organization instead.');
        await removeRow(transaction, organizationResource, row);
        return row;
      });
    },
    /** Takes a step of the state machine, as the owner or as a moderator. */
    transition(context: Context, verb: OrganizationVerb, { id, reason, idempotencyKey }: Step) {
      const moderates = organizationTransitions[verb].actors.some((actor) => actor === 'MODERATOR');
      const step = async (transaction: WriteTransaction): Promise<OrganizationRow> => {
        const row = moderates
          ? await lockForModeration(transaction, organizationResource, context.viewer, id)
          : await lockOwned(transaction, organizationResource, context.viewer, id);
        const status = nextState(organizationTransitions, verb, row.status, moderates ? ['MODERATOR'] : ['OWNER']);
        const isHidden = isPublic(row) && !isPublic({ status });
        const isShown = !isPublic(row) && isPublic({ status });
        if (isHidden) for (const [part, which] of partsOf(id)) await leavePublic(transaction, part, which);
        const changed = await changeRow(
          transaction,
          organizationResource,
          row,
          { status },
          { action: verb, event: 'organization.status_changed', data: reason ? { reason } : {} },
        );
        if (isShown) for (const [part, which] of partsOf(id)) await enterPublic(transaction, part, which);
        return changed;
      };
      const replay = moderates ? reloadingModerated : reloading;
      return writer.write(context, step, replay(context, `${verb}Organization`, idempotencyKey, { id, reason }));
    },
    /** A moderator's word on who the organization is. */
    decide(context: Context, verb: 'verify' | 'reject', { id, reason: method, idempotencyKey }: Step) {
      const step = async (transaction: WriteTransaction): Promise<OrganizationRow> => {
        const row = await lockForModeration(transaction, organizationResource, context.viewer, id);
        const status = verb === 'verify' ? 'VERIFIED' : 'REJECTED';
        const verification = { status, method: method ?? null, at: new Date().toISOString() } as const;
        const data = verb === 'reject' && method ? { reason: method } : {};
        const moved = { action: verb, event: 'organization.verified', data } as const;
        return changeRow(transaction, organizationResource, row, { verification }, moved);
      };
      return writer.write(context, step, reloadingModerated(context, `${verb}Organization`, idempotencyKey, { id, method }));
    },
    upsert(
      context: Context,
      items: readonly CreateOrganizationInput[],
      idempotencyKey: string | null | undefined,
    ): Promise<BatchResult> {
      const accountId = requireAccount(context.viewer);
      const request = {
        operation: 'upsertOrganizations',
        idempotencyKey,
        items,
        orderBy: externalIdOrder,
        constraints: organizationConstraints,
      };
      return writeBatch(writer, context, request, async (transaction, item) => {
        const id = await findByExternalId(transaction, 'organization', accountId, firstExternalId(item));
        if (id === null) return upsertOutcome(null, await insert(transaction, accountId, item));
        const before = await lockRow(transaction, organizationResource, id);
        if (item.type !== before.type)
          rejectInvalid([
            { pointer: '/type', code: 'immutable', detail: `This organization is a ${before.type}; its type does not change.` },
          ]);
        return upsertOutcome(before, await patch(transaction, context.viewer, before, item));
      });
    },
  };
}
