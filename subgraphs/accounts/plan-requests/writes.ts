/** Writes of plan requests: owners create and withdraw them, administrators decide. */
import { Problem, rejectInvalid } from '../../../schema/errors.ts';
import { nextState } from '../../../platform/writes/transition.ts';
import { replaysOf, type AreaServices, type Context } from '../../runtime/subgraph.ts';
import type { RequestMember } from '../access.ts';
import { actorOf } from '../administrators/actor.ts';
import type { PlanChanges } from '../api-keys/plan-changes.ts';
import type {
  MutationCreatePlanRequestArgs,
  MutationDeclinePlanRequestArgs,
  MutationGrantPlanRequestArgs,
} from '../generated/resolvers.ts';
import { lockVisible } from '../members/locks.ts';
import { readAccountPlans } from '../own-keys/account-plan.ts';
import { decisionOf, partnerRequestTransitions } from '../partner-requests/rules.ts';
import type { PlanReads } from '../plans/reads.ts';
import { unknownPlanViolation } from '../plans/rules.ts';
import type { PlanRequestReads } from './reads.ts';
import { planRequestRows as rows, type PlanRequestRow } from './rows.ts';

interface Dependencies {
  readonly plans: PlanReads;
  readonly requests: PlanRequestReads;
  readonly planChanges: PlanChanges;
}

/** Writes of plan requests over the area's database. */
export function createPlanRequestWrites({ writer, announce }: AreaServices, { plans, requests, planChanges }: Dependencies) {
  return {
    /** Throws Problem validation_failed (422: unknown plan) or conflict (409: an open request, or the account has the plan). */
    create(
      context: Context,
      { accountId }: RequestMember,
      { plan, note, idempotencyKey }: MutationCreatePlanRequestArgs,
    ): Promise<PlanRequestRow> {
      const replayable = replaysOf(requests.byId)(context, 'createPlanRequest', idempotencyKey, { plan, note });
      return writer.write(
        context,
        async (transaction) => {
          const target = await plans.current(plan, transaction);
          rejectInvalid([target === null && unknownPlanViolation(plan)]);
          const [current] = await readAccountPlans(transaction, [accountId]);
          if (current?.planCode === plan) throw new Problem('conflict', `The account already has the plan "${plan}".`);
          const values = { accountId, planCode: plan, note: note ?? null, requestedBy: actorOf(context.viewer) };
          return rows.insert(transaction, values, { action: 'created' });
        },
        replayable,
      );
    },
    /** Throws Problem not_found (404) or invalid_transition (409). */
    withdraw(context: Context, id: string): Promise<PlanRequestRow> {
      return writer.write(context, async (transaction) => {
        const before = await lockVisible(transaction, rows, context.viewer, id);
        const status = nextState(partnerRequestTransitions, 'withdraw', before.status, ['OWNER']);
        return rows.change(transaction, before, decisionOf(context.viewer, status, null), { action: 'withdraw' });
      });
    },
    /** Moves the account to the plan. Throws Problem not_found (404), invalid_transition (409) or the problems of the plan change. */
    async grant(context: Context, { id, reason, when }: MutationGrantPlanRequestArgs): Promise<PlanRequestRow> {
      const row = await writer.write(context, async (transaction) => {
        const before = await rows.lock(transaction, id);
        const status = nextState(partnerRequestTransitions, 'grant', before.status, ['MODERATOR']);
        await planChanges.moveAccountWithin(transaction, {
          id: before.accountId,
          plan: before.planCode,
          when: when ?? 'BY_PRICE',
        });
        return rows.change(transaction, before, decisionOf(context.viewer, status, reason), { action: 'grant', reason });
      });
      await announce?.('*');
      return row;
    },
    /** Throws Problem not_found (404) or invalid_transition (409). */
    decline(context: Context, { id, reason }: MutationDeclinePlanRequestArgs): Promise<PlanRequestRow> {
      return writer.write(context, async (transaction) => {
        const before = await rows.lock(transaction, id);
        const status = nextState(partnerRequestTransitions, 'decline', before.status, ['MODERATOR']);
        return rows.change(transaction, before, decisionOf(context.viewer, status, reason), { action: 'decline', reason });
      });
    },
  };
}
