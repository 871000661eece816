/** Applications: their writes, and which side may make them. */
import { Problem, rejectInvalid } from '../../../schema/errors.ts';
import type { Viewer } from '../../../schema/viewer.ts';
import { sql, type Queryable } from '../../../platform/database/database.ts';
import { requireVersion } from '../../../platform/writes/precondition.ts';
import {
  changeRow,
  insertResource,
  patchResource,
  removeRow,
  requireAccount,
  resourceNotFound,
} from '../../../platform/writes/resource.ts';
import { lockAsParty } from '../../../platform/writes/parties.ts';
import { nextState } from '../../../platform/writes/transition.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { athletesById, isAthleteVisible, unknownAthleteViolation } from '../../clients/athlete-facts.ts';
import { fetchOrganizationOwners } from '../../clients/organization-owners.ts';
import { replaysOf, type AreaServices, type Context } from '../../runtime/subgraph.ts';
import {
  transitionRequirements,
  applicationTransitions,
  transitionViolations,
  offerViolation,
  statusAt,
  admittedStates,
  type ApplicationVerb,
  type TransitionContext,
} from './lifecycle.ts';
import type { CreateApplicationInput, DecisionReason, UpdateApplicationInput } from '../resolvers.generated.ts';
import { eventDataOf, actorsOf, applicationResource, type ApplicationRow } from './rows.ts';
import type { ApplicationReads } from './reads.ts';
import { lockOpportunity, consumeOpenings } from '../opportunities/openings.ts';
import type { OpportunityRow, OpportunityReads } from '../opportunities/reads.ts';

/** The steps that a side asks for. */
type SidesVerb = Exclude<ApplicationVerb, 'expire'>;

interface Step {
  readonly id: string;
  readonly expiresAt?: string | null | undefined;
  readonly reasonCode?: DecisionReason;
  readonly message?: string | null | undefined;
  readonly idempotencyKey?: string | null | undefined;
}

/** Steps that may take an opening, or give one back. */
const countsOpenings: ReadonlySet<SidesVerb> = new Set(['accept', 'withdraw', 'rescind']);

const lockSide = (transaction: WriteTransaction, viewer: Viewer, id: string): Promise<ApplicationRow> =>
  lockAsParty(transaction, applicationResource, id, (row) => actorsOf(viewer, row).length > 0);

/** Refuses to apply again for who has applied. Throws Problem conflict (409, with existingId). */
async function refuseSecond(transaction: Queryable, { opportunityId, athleteId }: CreateApplicationInput): Promise<void> {
  const [existing] = await transaction.query<{ id: string }>(sql`/* applications.existing */
    select id from application where opportunity_id = ${opportunityId} and athlete_id = ${athleteId}`);
  if (existing)
    throw new Problem('conflict', 'The athlete has applied to this opportunity already: see existingId.', {
      existingId: existing.id,
    });
}

/** What the step itself says. */
function valuesOf(verb: SidesVerb, { expiresAt, reasonCode, message }: Step): Partial<ApplicationRow> {
  const now = new Date().toISOString();
  if (verb === 'submit') return { submittedAt: now };
  if (verb === 'offer') return { offeredAt: now, offerExpiresAt: expiresAt ? new Date(expiresAt).toISOString() : null };
  return reasonCode ? { decision: { reasonCode, message: message ?? null } } : {};
}

/** Writes of applications over the area's database. */
export function createApplicationWrites({ writer }: AreaServices, store: ApplicationReads, opportunities: OpportunityReads) {
  const reloading = replaysOf(store.byId);

  /** Facts of other areas around an application, asked before the transaction, so that no connection waits for another area. */
  async function gather(
    context: Context,
    opportunity: OpportunityRow | undefined,
    athleteId: string | null,
  ): Promise<Pick<TransitionContext, 'organization' | 'athlete'>> {
    const [owners, athletes] = await Promise.all([
      fetchOrganizationOwners(context.graph, [opportunity?.organizationId]),
      athletesById(context, [athleteId]),
    ]);
    return {
      organization: opportunity && owners.get(opportunity.organizationId),
      athlete: athleteId === null ? undefined : athletes.get(athleteId),
    };
  }

  return {
    /** Throws Problem validation_failed (422), not_owner (403), conflict (409, with existingId), and what `submit` throws. */
    async create(context: Context, input: CreateApplicationInput, key: string | null | undefined): Promise<ApplicationRow> {
      const accountId = requireAccount(context.viewer);
      const seen = await context.load(opportunities.byId, input.opportunityId);
      const around = await gather(context, seen ?? undefined, input.athleteId);
      const { athlete } = around;
      const work = async (transaction: WriteTransaction): Promise<ApplicationRow> => {
        rejectInvalid([
          !seen && { pointer: '/opportunityId', code: 'unknown_opportunity', detail: 'There is no opportunity with this id.' },
          !isAthleteVisible(athlete, context.viewer) && unknownAthleteViolation('/athleteId'),
        ]);
        if (athlete?.accountId !== accountId)
          throw new Problem('not_owner', 'Athletes apply through the account that owns them.');
        const opportunity = await lockOpportunity(transaction, input.opportunityId, 'READ');
        const submits = input.status === 'SUBMITTED';
        if (submits) rejectInvalid(transitionViolations('submit', { ...around, opportunity }));
        await refuseSecond(transaction, input);
        const values = {
          accountId,
          opportunityAccountId: opportunity.accountId,
          opportunityId: opportunity.id,
          sport: opportunity.sport,
          athleteId: input.athleteId,
          answers: (input.answers ?? []).map(({ question, answer }) => ({ question, answer })),
          status: input.status ?? 'DRAFT',
          ...(submits ? valuesOf('submit', { id: '' }) : {}),
        };
        const resource = submits ? ({ ...applicationResource, created: 'application.submitted' } as const) : applicationResource;
        return insertResource(transaction, resource, values, input.externalIds, eventDataOf(values));
      };
      return writer.write(context, work, reloading(context, 'createApplication', key, input));
    },
    /** Answers are the applicant's, of a draft; each side has external ids of its own. */
    update(context: Context, id: string, input: UpdateApplicationInput, ifMatch: string): Promise<ApplicationRow> {
      return writer.write(context, async (transaction) => {
        const before = await lockSide(transaction, context.viewer, id);
        const { externalIds, answers } = input;
        if (answers !== undefined && !actorsOf(context.viewer, before).includes('OWNER'))
          throw new Problem('not_owner', 'Only the applicant changes the answers.');
        requireVersion(ifMatch, before.version);
        rejectInvalid([
          answers !== undefined &&
            before.status !== 'DRAFT' && {
              pointer: '/answers',
              code: 'submitted',
              detail: 'What is submitted does not change: withdraw the application instead.',
            },
        ]);
        const patch = answers === undefined ? {} : ({ answers } as Partial<ApplicationRow>);
        const account = requireAccount(context.viewer);
        return patchResource(transaction, applicationResource, before, patch, externalIds, eventDataOf(before), account);
      });
    },
    remove(context: Context, id: string, ifMatch: string): Promise<ApplicationRow> {
      return writer.write(context, async (transaction) => {
        const row = await lockSide(transaction, context.viewer, id);
        if (!actorsOf(context.viewer, row).includes('OWNER'))
          throw new Problem('not_owner', 'Only the applicant deletes an application.');
        requireVersion(ifMatch, row.version);
        if (row.status !== 'DRAFT') throw new Problem('in_use', 'Only a draft can be deleted; withdraw the application instead.');
        await removeRow(transaction, applicationResource, row, eventDataOf(row));
        return row;
      });
    },
    /** Takes a step of the state machine as the side the viewer is. */
    async transition(context: Context, verb: SidesVerb, { idempotencyKey, ...said }: Step): Promise<ApplicationRow> {
      const { id } = said;
      const read = await context.load(store.byId, id);
      if (!read) throw resourceNotFound('application', id);
      const needs = transitionRequirements[verb] !== undefined;
      const [opportunity] = needs ? await opportunities.read([read.opportunityId]) : [];
      const around = needs ? await gather(context, opportunity, read.athleteId) : null;
      const step = async (transaction: WriteTransaction): Promise<ApplicationRow> => {
        const mode = countsOpenings.has(verb) ? 'CHANGE' : 'READ';
        const held = await lockOpportunity(transaction, read.opportunityId, mode);
        const row = await lockSide(transaction, context.viewer, id);
        const status = nextState(applicationTransitions, verb, statusAt(row), actorsOf(context.viewer, row));
        rejectInvalid([
          ...(around ? transitionViolations(verb, { ...around, opportunity: held }) : []),
          verb === 'offer' && offerViolation(said.expiresAt),
        ]);
        const count = Number(admittedStates.includes(status)) - Number(admittedStates.includes(row.status));
        await consumeOpenings(transaction, held, count);
        const event = verb === 'submit' ? 'application.submitted' : 'application.status_changed';
        const values = { status, ...valuesOf(verb, said) };
        return changeRow(transaction, applicationResource, row, values, { action: verb, event, data: eventDataOf(row) });
      };
      return writer.write(context, step, reloading(context, `${verb}Application`, idempotencyKey, said));
    },
  };
}
