/** Opportunities: their writes. An opportunity belongs to the account of its organization. */
import { Problem, validationProblem, rejectInvalid, type Violation } from '../../../schema/errors.ts';
import { upsertOutcome, writeBatch, type BatchResult } from '../../../platform/writes/batch.ts';
import { externalIdOrder, findByExternalId, firstExternalId } from '../../../platform/writes/external-id.ts';
import { applyMergePatch } from '../../../platform/writes/merge-patch.ts';
import { requireVersion } from '../../../platform/writes/precondition.ts';
import {
  changeRow,
  insertResource,
  lockOwned,
  lockRow,
  patchResource,
  removeRow,
  requireAccount,
} from '../../../platform/writes/resource.ts';
import { nextState } from '../../../platform/writes/transition.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { unknownOrganizationViolation } from '../../runtime/input-violations.ts';
import {
  isOrganizationVisible,
  fetchOrganizationOwners,
  type OrganizationOwner,
  type OrganizationOwners,
} from '../../clients/organization-owners.ts';
import { replaysOf, type AreaServices, type Context } from '../../runtime/subgraph.ts';
import { opportunityConstraints } from '../constraints.ts';
import {
  deadlineViolation,
  inactiveViolation,
  minorsViolation,
  movedDeadlineViolation,
  opportunityTransitions,
  publishViolations,
  statusAt,
  statusForOpenings,
  type OwnerVerb,
} from './lifecycle.ts';
import type { CreateOpportunityInput, UpdateOpportunityInput } from '../resolvers.generated.ts';
import { opportunityViolations, type OpportunityMembers } from './rules.ts';
import { changedValues, rowValuesOf } from './values.ts';
import { cancelApplications } from '../projections/removed-athletes.ts';
import { lockOrganizationVisibility } from '../projections/organizations.ts';
import { opportunityResource, type OpportunityRow, type OpportunityReads } from './reads.ts';

interface Step {
  readonly id: string;
  readonly applicationDeadline?: string;
  readonly idempotencyKey?: string | null | undefined;
}

/** The organization of a new opportunity; null when there is none to be seen. Throws Problem not_owner (403) when it is another's. */
function ownOrganization(id: string, accountId: string, owners: OrganizationOwners): OrganizationOwner | null {
  const owner = owners.get(id);
  if (!isOrganizationVisible(owner, accountId)) return null;
  if (owner?.accountId === accountId) return owner;
  throw new Problem('not_owner', 'Opportunities are created by the account of their organization.');
}

function attendingViolations(
  ids: readonly string[] | null | undefined,
  accountId: string,
  owners: OrganizationOwners,
): (Violation | false)[] {
  return (ids ?? []).map(
    (id, index) =>
      !isOrganizationVisible(owners.get(id), accountId) && unknownOrganizationViolation(`/attendingOrganizationIds/${index}`),
  );
}

async function insert(
  transaction: WriteTransaction,
  accountId: string,
  input: CreateOpportunityInput,
  owners: OrganizationOwners,
): Promise<OpportunityRow> {
  const organization = ownOrganization(input.organizationId, accountId, owners);
  const publishes = input.status === 'PUBLISHED';
  const violations = [
    ...opportunityViolations(input.type, input.sport, input),
    ...attendingViolations(input.attendingOrganizationIds, accountId, owners),
    publishes && deadlineViolation(input.applicationDeadline),
  ];
  if (!organization) throw validationProblem([unknownOrganizationViolation('/organizationId'), ...violations]);
  rejectInvalid([
    ...violations,
    publishes && inactiveViolation(organization),
    minorsViolation(input.minorsAllowed, organization),
  ]);
  const organizationPublic = await lockOrganizationVisibility(transaction, organization);
  const values = { ...rowValuesOf(input), accountId, organizationPublic, remainingOpenings: input.totalOpenings };
  return insertResource(transaction, opportunityResource, values, input.externalIds, { organizationId: input.organizationId });
}

async function patch(
  transaction: WriteTransaction,
  before: OpportunityRow,
  input: UpdateOpportunityInput,
  owners: OrganizationOwners,
): Promise<OpportunityRow> {
  const values = rowValuesOf(applyMergePatch(before, input));
  const remainingOpenings = before.remainingOpenings + (input.totalOpenings ?? before.totalOpenings) - before.totalOpenings;
  const members = { ...before, ...values };
  rejectInvalid([
    // A row has the members of its input, under the same names.
    ...opportunityViolations(before.type, before.sport, members as OpportunityMembers),
    ...attendingViolations(input.attendingOrganizationIds, before.accountId, owners),
    movedDeadlineViolation(before, input.applicationDeadline),
    minorsViolation(input.minorsAllowed, owners.get(before.organizationId)),
    remainingOpenings < 0 && {
      pointer: '/totalOpenings',
      code: 'taken',
      detail: `${before.totalOpenings - before.remainingOpenings} openings are taken already.`,
    },
  ]);
  const status = statusForOpenings(before.status, remainingOpenings);
  const changed = changedValues(before, { ...values, remainingOpenings, status });
  return patchResource(transaction, opportunityResource, before, changed, input.externalIds, {
    organizationId: before.organizationId,
  });
}

/** Writes of opportunities over the area's database. */
export function createOpportunityWrites({ writer }: AreaServices, store: OpportunityReads) {
  const reloading = replaysOf(store.byId);

  /** Owners of all the organizations that inputs and rows name. */
  const gather = (
    context: Context,
    named: readonly { organizationId?: string; attendingOrganizationIds?: readonly string[] | null | undefined }[],
  ) =>
    fetchOrganizationOwners(
      context.graph,
      named.flatMap(({ organizationId, attendingOrganizationIds }) => [organizationId, ...(attendingOrganizationIds ?? [])]),
    );

  return {
    async create(context: Context, input: CreateOpportunityInput, key: string | null | undefined): Promise<OpportunityRow> {
      const accountId = requireAccount(context.viewer);
      const owners = await gather(context, [input]);
      const work = (transaction: WriteTransaction): Promise<OpportunityRow> => insert(transaction, accountId, input, owners);
      return writer.write(context, work, reloading(context, 'createOpportunity', key, input));
    },
    async update(context: Context, id: string, input: UpdateOpportunityInput, ifMatch: string): Promise<OpportunityRow> {
      const rows = input.minorsAllowed === true ? await store.read([id]) : [];
      const owners = await gather(context, [input, ...rows.map(({ organizationId }) => ({ organizationId }))]);
      return writer.write(context, async (transaction) => {
        const before = await lockOwned(transaction, opportunityResource, context.viewer, id);
        requireVersion(ifMatch, before.version);
        return patch(transaction, before, input, owners);
      });
    },
    remove(context: Context, id: string, ifMatch: string): Promise<OpportunityRow> {
      return writer.write(context, async (transaction) => {
        const row = await lockOwned(transaction, opportunityResource, context.viewer, id);
        requireVersion(ifMatch, row.version);
        if (row.status !== 'DRAFT')
          throw new Problem('in_use', 'Only a draft can be deleted; cancel or close the opportunity instead.');
        await removeRow(transaction, opportunityResource, row);
        return row;
      });
    },
    /** Takes a step of the state machine as the owner; a step that makes it public needs what a publication needs. */
    async transition(
      context: Context,
      verb: OwnerVerb,
      { id, applicationDeadline, idempotencyKey }: Step,
    ): Promise<OpportunityRow> {
      const opens = opportunityTransitions[verb].to === 'PUBLISHED';
      // Asked before the transaction, so that no connection waits for another area; the organization of a row never changes.
      const owners = await gather(
        context,
        opens ? (await store.read([id])).map(({ organizationId }) => ({ organizationId })) : [],
      );
      const step = async (transaction: WriteTransaction): Promise<OpportunityRow> => {
        // The organization first, as its projection does: two who lock in the same order never wait for each other.
        const held = await Promise.all([...owners.values()].map((owner) => lockOrganizationVisibility(transaction, owner)));
        const row = await lockOwned(transaction, opportunityResource, context.viewer, id);
        const status = nextState(opportunityTransitions, verb, statusAt(row), ['OWNER']);
        const moved = applicationDeadline ? { applicationDeadline: new Date(applicationDeadline).toISOString() } : {};
        const organization = owners.get(row.organizationId);
        if (opens) rejectInvalid(publishViolations({ ...row, ...moved }, organization));
        const noted = {
          action: verb,
          event: 'opportunity.status_changed',
          data: { organizationId: row.organizationId },
        } as const;
        const [organizationPublic = row.organizationPublic] = held;
        const remainingOpenings = row.remainingOpenings + (verb === 'cancel' ? await cancelApplications(transaction, id) : 0);
        const values = { status, organizationPublic, remainingOpenings, ...moved };
        return changeRow(transaction, opportunityResource, row, values, noted);
      };
      return writer.write(context, step, reloading(context, `${verb}Opportunity`, idempotencyKey, { id, applicationDeadline }));
    },
    async upsert(
      context: Context,
      items: readonly CreateOpportunityInput[],
      idempotencyKey: string | null | undefined,
    ): Promise<BatchResult> {
      const accountId = requireAccount(context.viewer);
      const owners = await gather(context, items);
      const request = {
        operation: 'upsertOpportunities',
        idempotencyKey,
        items,
        orderBy: externalIdOrder,
        constraints: opportunityConstraints,
      };
      return writeBatch(writer, context, request, async (transaction, item) => {
        const id = await findByExternalId(transaction, 'opportunity', accountId, firstExternalId(item));
        if (id === null) return upsertOutcome(null, await insert(transaction, accountId, item, owners));
        const before = await lockRow(transaction, opportunityResource, id);
        rejectInvalid(
          (['type', 'organizationId', 'sport'] as const).map(
            (member) =>
              item[member] !== before[member] && {
                pointer: `/${member}`,
                code: 'immutable',
                detail: `The ${member} of an opportunity does not change.`,
              },
          ),
        );
        // The state is never patched: it is the one to begin in.
        const { type: _, organizationId: __, sport: ___, status: ____, ...values } = item;
        return upsertOutcome(before, await patch(transaction, before, values, owners));
      });
    },
  };
}
