/** Mutations of opportunities. An opportunity belongs to the account of its organization. */
import { Problem, validationProblem, rejectInvalid, type Violation } from '../../../schema/errors.ts';
import { lockForTransition, lockOwnedAt, removeOwned, requireDraft } from '../../../platform/writes/lifecycle.ts';
import { applyMergePatch } from '../../../platform/writes/merge-patch.ts';
import { changeRow, insertResource, patchResource, requireAccount } from '../../../platform/writes/resource.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import {
  isOrganizationVisible,
  fetchOrganizationOwners,
  type OrganizationOwner,
  type OrganizationOwners,
} from '../../clients/organization-owners.ts';
import { unknownOrganizationViolation } from '../../runtime/input-violations.ts';
import { replaysOf, type AreaServices, type Context } from '../../runtime/subgraph.ts';
import { cancelApplications } from '../applications/cancellation.ts';
import { lockOrganizationVisibility } from '../projections/organizations.ts';
import type { CreateOpportunityInput, UpdateOpportunityInput } from '../generated/resolvers.ts';
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
import type { OpportunityReads } from './reads.ts';
import { opportunityResource, type OpportunityRow } from './rows.ts';
import { opportunityViolations } from './rules.ts';
import { changedValues, rowValuesOf } from './values.ts';

interface TransitionArgs {
  readonly id: string;
  readonly applicationDeadline?: string;
  readonly idempotencyKey?: string | null | undefined;
}

interface NamedOrganizations {
  readonly organizationId?: string;
  readonly attendingOrganizationIds?: readonly string[] | null | undefined;
}

/** Owners of all organizations that inputs or rows name. Call it before the transaction: a transaction must not wait for another area. */
export function fetchNamedOrganizations(
  { graph }: Pick<Context, 'graph'>,
  named: readonly NamedOrganizations[],
): Promise<OrganizationOwners> {
  return fetchOrganizationOwners(
    graph,
    named.flatMap(({ organizationId, attendingOrganizationIds }) => [organizationId, ...(attendingOrganizationIds ?? [])]),
  );
}

/** The organization of a new opportunity. Null if it is not visible to the account. Throws Problem not_owner (403) if another account owns it. */
function ownOrganization(id: string, accountId: string, owners: OrganizationOwners): OrganizationOwner | null {
  const owner = owners.get(id);
  if (!isOrganizationVisible(owner, accountId)) return null;
  if (owner?.accountId === accountId) return owner;
  throw new Problem(
    'not_owner',
    'This organization belongs to another account. Create opportunities for your own organizations.',
  );
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

/** Validates and inserts an opportunity. Throws Problem validation_failed (422), not_owner (403). */
export async function insertOpportunity(
  transaction: WriteTransaction,
  accountId: string,
  input: CreateOpportunityInput,
  owners: OrganizationOwners,
): Promise<OpportunityRow> {
  const { type, organizationId, sport, status } = input;
  const organization = ownOrganization(organizationId, accountId, owners);
  const publishes = status === 'PUBLISHED';
  const violations = [
    ...opportunityViolations(type, sport, input),
    ...attendingViolations(input.attendingOrganizationIds, accountId, owners),
    publishes && deadlineViolation(input.applicationDeadline),
  ];
  if (!organization) throw validationProblem([unknownOrganizationViolation('/organizationId'), ...violations]);
  rejectInvalid([
    ...violations,
    publishes && inactiveViolation(organization),
    minorsViolation(input.minorsAllowed, organization),
  ]);
  const values = {
    ...rowValuesOf(input),
    accountId,
    type,
    organizationId,
    organizationPublic: await lockOrganizationVisibility(transaction, organization),
    sport,
    status: status ?? 'DRAFT',
    remainingOpenings: input.totalOpenings,
  };
  return insertResource(transaction, opportunityResource, values, input.externalIds, { organizationId });
}

/** Validates and applies a merge patch to a locked opportunity. Throws Problem validation_failed (422). */
export async function patchOpportunity(
  transaction: WriteTransaction,
  before: OpportunityRow,
  input: UpdateOpportunityInput,
  owners: OrganizationOwners,
): Promise<OpportunityRow> {
  const { type, sport, organizationId, totalOpenings } = before;
  const values = rowValuesOf(applyMergePatch(before, input));
  const remainingOpenings = before.remainingOpenings + (input.totalOpenings ?? totalOpenings) - totalOpenings;
  rejectInvalid([
    ...opportunityViolations(type, sport, { ...before, ...values }),
    ...attendingViolations(input.attendingOrganizationIds, before.accountId, owners),
    movedDeadlineViolation(before, input.applicationDeadline),
    minorsViolation(input.minorsAllowed, owners.get(organizationId)),
    remainingOpenings < 0 && {
      pointer: '/totalOpenings',
      code: 'taken',
      detail: `\`totalOpenings\` must be at least ${totalOpenings - before.remainingOpenings}, the number of filled openings.`,
    },
  ]);
  const status = statusForOpenings(before.status, remainingOpenings);
  const changed = changedValues(before, { ...values, remainingOpenings, status });
  return patchResource(transaction, opportunityResource, before, changed, input.externalIds, { organizationId });
}

/** Applies a transition of the owner, with the organization of the opportunity in `owners` where it becomes public. A transition to PUBLISHED has the requirements of a publication. */
export async function applyTransition(
  transaction: WriteTransaction,
  { viewer }: Context,
  verb: OwnerVerb,
  { id, applicationDeadline }: TransitionArgs,
  owners: OrganizationOwners,
): Promise<OpportunityRow> {
  // Lock the organization first, in the same order as its projection, to prevent deadlocks.
  const visibilities = await Promise.all([...owners.values()].map((owner) => lockOrganizationVisibility(transaction, owner)));
  const transitions = opportunityTransitions;
  const { row, status } = await lockForTransition(transaction, opportunityResource, transitions, viewer, verb, id, statusAt);
  const { organizationId } = row;
  const deadline = applicationDeadline ? { applicationDeadline: new Date(applicationDeadline).toISOString() } : {};
  if (status === 'PUBLISHED') rejectInvalid(publishViolations({ ...row, ...deadline }, owners.get(organizationId)));
  const [organizationPublic = row.organizationPublic] = visibilities;
  const released = verb === 'cancel' ? await cancelApplications(transaction, id) : 0;
  const values = { status, organizationPublic, remainingOpenings: row.remainingOpenings + released, ...deadline };
  const note = { action: verb, event: 'opportunity.status_changed', data: { organizationId } } as const;
  return changeRow(transaction, opportunityResource, row, values, note);
}

export function createOpportunityWrites({ writer }: AreaServices, reads: OpportunityReads) {
  const replay = replaysOf(reads.byId);
  const organizationsOf = async (id: string): Promise<NamedOrganizations[]> =>
    (await reads.read([id])).map(({ organizationId }) => ({ organizationId }));

  return {
    /** Throws Problem api_key_missing (401), and what insertOpportunity throws. */
    async create(context: Context, input: CreateOpportunityInput, key: string | null | undefined): Promise<OpportunityRow> {
      const accountId = requireAccount(context.viewer);
      const owners = await fetchNamedOrganizations(context, [input]);
      const work = (transaction: WriteTransaction) => insertOpportunity(transaction, accountId, input, owners);
      return writer.write(context, work, replay(context, 'createOpportunity', key, input));
    },
    /** Throws Problem not_found (404), not_owner (403), precondition_failed (412), and what patchOpportunity throws. */
    async update(context: Context, id: string, input: UpdateOpportunityInput, ifMatch: string): Promise<OpportunityRow> {
      const own = input.minorsAllowed === true ? await organizationsOf(id) : [];
      const owners = await fetchNamedOrganizations(context, [input, ...own]);
      return writer.write(context, async (transaction) => {
        const before = await lockOwnedAt(transaction, opportunityResource, context.viewer, { id, ifMatch });
        return patchOpportunity(transaction, before, input, owners);
      });
    },
    /** Throws Problem not_found (404), not_owner (403), precondition_failed (412), in_use (409). */
    remove(context: Context, id: string, ifMatch: string): Promise<OpportunityRow> {
      const check = requireDraft('Only a draft can be deleted. Cancel or close this opportunity instead.');
      return writer.write(context, (transaction) =>
        removeOwned(transaction, opportunityResource, context.viewer, { id, ifMatch }, check),
      );
    },
    /** Throws Problem not_found (404), not_owner (403), invalid_transition (409), validation_failed (422). */
    async transition(context: Context, verb: OwnerVerb, args: TransitionArgs): Promise<OpportunityRow> {
      const publishes = opportunityTransitions[verb].to === 'PUBLISHED';
      // Reading before the transaction is safe, because the organization of an opportunity never changes.
      const owners = await fetchNamedOrganizations(context, publishes ? await organizationsOf(args.id) : []);
      const work = (transaction: WriteTransaction) => applyTransition(transaction, context, verb, args, owners);
      const { id, applicationDeadline, idempotencyKey } = args;
      return writer.write(context, work, replay(context, `${verb}Opportunity`, idempotencyKey, { id, applicationDeadline }));
    },
  };
}
