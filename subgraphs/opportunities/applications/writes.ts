/** Mutations of applications, with the side that each of them requires. */
import { Problem, rejectInvalid } from '../../../schema/errors.ts';
import type { Viewer } from '../../../schema/viewer.ts';
import { sql, type Queryable } from '../../../platform/database/database.ts';
import { lockAsParty } from '../../../platform/writes/parties.ts';
import { requireVersion } from '../../../platform/writes/precondition.ts';
import {
  changeRow,
  insertResource,
  patchResource,
  removeRow,
  requireAccount,
  resourceNotFound,
} from '../../../platform/writes/resource.ts';
import { nextState } from '../../../platform/writes/transition.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { athletesById, isAthleteVisible, unknownAthleteViolation } from '../../clients/athlete-facts.ts';
import { fetchOrganizationOwners } from '../../clients/organization-owners.ts';
import { rowValues } from '../../runtime/row-values.ts';
import { replaysOf, type AreaServices, type Context } from '../../runtime/subgraph.ts';
import { lockOpportunity, consumeOpenings } from '../opportunities/openings.ts';
import type { OpportunityReads } from '../opportunities/reads.ts';
import type { OpportunityRow } from '../opportunities/rows.ts';
import type { CreateApplicationInput, DecisionReason, UpdateApplicationInput } from '../generated/resolvers.ts';
import {
  admittedStates,
  applicationTransitions,
  offerViolation,
  statusAt,
  transitionRequirements,
  transitionViolations,
  type ApplicationVerb,
  type TransitionContext,
} from './lifecycle.ts';
import type { ApplicationReads } from './reads.ts';
import { applicationResource, eventDataOf, type ApplicationRow } from './rows.ts';
import { actorsOf } from './visibility.ts';

/** The transitions that a side can request. */
type PartyVerb = Exclude<ApplicationVerb, 'expire'>;

interface TransitionArgs {
  readonly id: string;
  readonly expiresAt?: string | null | undefined;
  readonly reasonCode?: DecisionReason;
  readonly message?: string | null | undefined;
  readonly idempotencyKey?: string | null | undefined;
}

type OtherAreas = Pick<TransitionContext, 'organization' | 'athlete'>;

/** The transitions that can consume or release an opening. */
const openingVerbs: ReadonlySet<PartyVerb> = new Set(['accept', 'withdraw', 'rescind']);

const lockForParty = (transaction: WriteTransaction, viewer: Viewer, id: string): Promise<ApplicationRow> =>
  lockAsParty(transaction, applicationResource, id, (row) => actorsOf(viewer, row).length > 0);

/** Throws Problem conflict (409, with existingId) if the athlete has already applied to the opportunity. */
async function rejectDuplicate(
  transaction: Queryable,
  { opportunityId, athleteId }: Pick<CreateApplicationInput, 'opportunityId' | 'athleteId'>,
): Promise<void> {
  const [existing] = await transaction.query<{ id: string }>(sql`/* applications.existing */
    select id from application where opportunity_id = ${opportunityId} and athlete_id = ${athleteId}`);
  if (!existing) return;
  const detail = 'The athlete has already applied to this opportunity. See `existingId`.';
  throw new Problem('conflict', detail, { existingId: existing.id });
}

/** The row values that a transition sets in addition to the status. */
function transitionValues(
  verb: PartyVerb,
  { expiresAt, reasonCode, message }: Omit<TransitionArgs, 'id'> = {},
): Partial<ApplicationRow> {
  const now = new Date().toISOString();
  if (verb === 'submit') return { submittedAt: now };
  if (verb === 'offer') return { offeredAt: now, offerExpiresAt: expiresAt ? new Date(expiresAt).toISOString() : null };
  return reasonCode ? { decision: { reasonCode, message: message ?? null } } : {};
}

/** Reads the organization and the athlete from their areas. Call it before the transaction: a transaction must not wait for another area. */
async function fetchOtherAreas(
  context: Context,
  opportunity: OpportunityRow | null | undefined,
  athleteId: string | null,
): Promise<OtherAreas> {
  const [owners, athletes] = await Promise.all([
    fetchOrganizationOwners(context.graph, [opportunity?.organizationId]),
    athletesById(context, [athleteId]),
  ]);
  return {
    organization: opportunity ? owners.get(opportunity.organizationId) : undefined,
    athlete: athleteId === null ? undefined : athletes.get(athleteId),
  };
}

/** Inserts an application to an opportunity that is visible to the viewer. */
async function insertApplication(
  transaction: WriteTransaction,
  accountId: string,
  input: CreateApplicationInput,
  others: OtherAreas,
): Promise<ApplicationRow> {
  const opportunity = await lockOpportunity(transaction, input.opportunityId, 'READ');
  const isSubmitted = input.status === 'SUBMITTED';
  if (isSubmitted) rejectInvalid(transitionViolations('submit', { ...others, opportunity }));
  await rejectDuplicate(transaction, input);
  const values = {
    accountId,
    opportunityAccountId: opportunity.accountId,
    opportunityId: opportunity.id,
    sport: opportunity.sport,
    athleteId: input.athleteId,
    answers: (input.answers ?? []).map(({ question, answer }) => ({ question, answer })),
    status: input.status ?? 'DRAFT',
    ...(isSubmitted ? transitionValues('submit') : {}),
  };
  const resource = isSubmitted ? ({ ...applicationResource, created: 'application.submitted' } as const) : applicationResource;
  return insertResource(transaction, resource, values, input.externalIds, eventDataOf(values));
}

/** Updates the answers of a draft as the applicant, or the external ids of the viewer's side. */
async function patchApplication(
  transaction: WriteTransaction,
  { viewer }: Context,
  id: string,
  { externalIds, answers }: UpdateApplicationInput,
  ifMatch: string,
): Promise<ApplicationRow> {
  const before = await lockForParty(transaction, viewer, id);
  const changesAnswers = answers !== undefined;
  if (changesAnswers && !actorsOf(viewer, before).includes('OWNER'))
    throw new Problem('not_owner', 'Only the applicant can change the answers.');
  requireVersion(ifMatch, before.version);
  rejectInvalid([
    changesAnswers &&
      before.status !== 'DRAFT' && {
        pointer: '/answers',
        code: 'submitted',
        detail: 'The answers of a submitted application cannot be changed. Withdraw the application instead.',
      },
  ]);
  const values = rowValues<ApplicationRow>({ answers });
  const account = requireAccount(viewer);
  return patchResource(transaction, applicationResource, before, values, externalIds, eventDataOf(before), account);
}

async function removeDraft(
  transaction: WriteTransaction,
  { viewer }: Context,
  id: string,
  ifMatch: string,
): Promise<ApplicationRow> {
  const row = await lockForParty(transaction, viewer, id);
  if (!actorsOf(viewer, row).includes('OWNER')) throw new Problem('not_owner', 'Only the applicant can delete an application.');
  requireVersion(ifMatch, row.version);
  if (row.status !== 'DRAFT') throw new Problem('in_use', 'Only a draft can be deleted. Withdraw the application instead.');
  await removeRow(transaction, applicationResource, row, eventDataOf(row));
  return row;
}

/** Applies a transition as the viewer's side. `others` is null for a transition without requirements. */
async function applyTransition(
  transaction: WriteTransaction,
  { viewer }: Context,
  verb: PartyVerb,
  { id, opportunityId }: ApplicationRow,
  args: TransitionArgs,
  others: OtherAreas | null,
): Promise<ApplicationRow> {
  const opportunity = await lockOpportunity(transaction, opportunityId, openingVerbs.has(verb) ? 'CHANGE' : 'READ');
  const row = await lockForParty(transaction, viewer, id);
  const status = nextState(applicationTransitions, verb, statusAt(row), actorsOf(viewer, row));
  rejectInvalid([
    ...(others ? transitionViolations(verb, { ...others, opportunity }) : []),
    verb === 'offer' && offerViolation(args.expiresAt),
  ]);
  const consumed = Number(admittedStates.includes(status)) - Number(admittedStates.includes(row.status));
  await consumeOpenings(transaction, opportunity, consumed);
  const event = verb === 'submit' ? 'application.submitted' : 'application.status_changed';
  const values = { status, ...transitionValues(verb, args) };
  return changeRow(transaction, applicationResource, row, values, { action: verb, event, data: eventDataOf(row) });
}

export function createApplicationWrites({ writer }: AreaServices, reads: ApplicationReads, opportunities: OpportunityReads) {
  const replay = replaysOf(reads.byId);

  return {
    /** Throws Problem validation_failed (422), not_owner (403), conflict (409, with existingId), and what a submission throws. */
    async create(context: Context, input: CreateApplicationInput, key: string | null | undefined): Promise<ApplicationRow> {
      const accountId = requireAccount(context.viewer);
      const opportunity = await context.load(opportunities.byId, input.opportunityId);
      const others = await fetchOtherAreas(context, opportunity, input.athleteId);
      const work = (transaction: WriteTransaction): Promise<ApplicationRow> => {
        rejectInvalid([
          !opportunity && {
            pointer: '/opportunityId',
            code: 'unknown_opportunity',
            detail: 'There is no opportunity with this ID.',
          },
          !isAthleteVisible(others.athlete, context.viewer) && unknownAthleteViolation('/athleteId'),
        ]);
        if (others.athlete?.accountId !== accountId)
          throw new Problem('not_owner', 'This athlete belongs to another account. Only the owner of an athlete can apply.');
        return insertApplication(transaction, accountId, input, others);
      };
      return writer.write(context, work, replay(context, 'createApplication', key, input));
    },
    /** Throws Problem not_found (404), not_owner (403), precondition_failed (412), validation_failed (422). */
    update: (context: Context, id: string, input: UpdateApplicationInput, ifMatch: string): Promise<ApplicationRow> =>
      writer.write(context, (transaction) => patchApplication(transaction, context, id, input, ifMatch)),
    /** Throws Problem not_found (404), not_owner (403), precondition_failed (412), in_use (409). */
    remove: (context: Context, id: string, ifMatch: string): Promise<ApplicationRow> =>
      writer.write(context, (transaction) => removeDraft(transaction, context, id, ifMatch)),
    /** Throws Problem not_found (404), not_owner (403), invalid_transition (409), and what transitionViolations throws. */
    async transition(context: Context, verb: PartyVerb, { idempotencyKey, ...args }: TransitionArgs): Promise<ApplicationRow> {
      const application = await context.load(reads.byId, args.id);
      if (!application) throw resourceNotFound('application', args.id);
      const hasRequirements = transitionRequirements[verb] !== undefined;
      const [opportunity] = hasRequirements ? await opportunities.read([application.opportunityId]) : [];
      const others = hasRequirements ? await fetchOtherAreas(context, opportunity, application.athleteId) : null;
      const work = (transaction: WriteTransaction) => applyTransition(transaction, context, verb, application, args, others);
      return writer.write(context, work, replay(context, `${verb}Application`, idempotencyKey, args));
    },
  };
}

export type ApplicationWrites = ReturnType<typeof createApplicationWrites>;
