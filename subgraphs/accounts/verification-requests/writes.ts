/** Writes of verification requests: owners create and withdraw them, moderators decide. */
import { Problem, rejectInvalid } from '../../../schema/errors.ts';
import { nextState } from '../../../platform/writes/transition.ts';
import { fetchOrganizationOwners, ownerViolation } from '../../clients/organization-owners.ts';
import { replaysOf, type AreaServices, type Context } from '../../runtime/subgraph.ts';
import type { RequestMember } from '../access.ts';
import { actorOf } from '../administrators/actor.ts';
import type {
  MutationCreateVerificationRequestArgs,
  MutationDeclineVerificationRequestArgs,
  MutationGrantVerificationRequestArgs,
} from '../generated/resolvers.ts';
import { lockVisible } from '../members/locks.ts';
import { requireBelowOpenMax } from '../open-limit.ts';
import { decisionOf, partnerRequestTransitions } from '../partner-requests/rules.ts';
import type { VerificationRequestReads } from './reads.ts';
import { verificationRequestRows as rows, type VerificationRequestRow } from './rows.ts';
import { linkViolations } from './rules.ts';

/** The platform stores requests, but the graph of a viewer in test mode returns test data. Throws Problem conflict (409) in test mode. */
function requireLiveMode({ viewer }: Context): void {
  if (viewer.sandbox === undefined) return;
  throw new Problem('conflict', 'Verification requests concern live organizations. Send the request in live mode.');
}

/** Writes of verification requests over the area's database. */
export function createVerificationRequestWrites({ writer }: AreaServices, requests: VerificationRequestReads) {
  return {
    /**
     * Throws Problem validation_failed (422: no organization of the account, or an invalid link) or conflict (409: test mode, a verified organization,
     * an open request, or too many open requests).
     */
    async create(
      context: Context,
      { accountId }: RequestMember,
      { input, idempotencyKey }: MutationCreateVerificationRequestArgs,
    ): Promise<VerificationRequestRow> {
      requireLiveMode(context);
      const { organizationId, note } = input;
      const links = [...new Set(input.links ?? [])];
      // read before the transaction, so that no connection waits for another area
      const owners = await fetchOrganizationOwners(context.graph, [organizationId]);
      rejectInvalid([ownerViolation('/organizationId', organizationId, accountId, owners), ...linkViolations(links)]);
      if (owners.get(organizationId)?.verified === true) throw new Problem('conflict', 'This organization is already verified.');
      const values = { accountId, organizationId, note: note ?? null, links, requestedBy: actorOf(context.viewer) };
      return writer.write(
        context,
        async (transaction) => {
          await requireBelowOpenMax(transaction, 'verification_request', accountId);
          return rows.insert(transaction, values, { action: 'created' });
        },
        replaysOf(requests.byId)(context, 'createVerificationRequest', idempotencyKey, input),
      );
    },
    /** Throws Problem not_found (404) or invalid_transition (409). */
    withdraw(context: Context, id: string): Promise<VerificationRequestRow> {
      return writer.write(context, async (transaction) => {
        const before = await lockVisible(transaction, rows, context.viewer, id);
        const status = nextState(partnerRequestTransitions, 'withdraw', before.status, ['OWNER']);
        return rows.change(transaction, before, decisionOf(context.viewer, status, null), { action: 'withdraw' });
      });
    },
    /**
     * Closes the request of a verified organization: an area writes only its own rows, so the administrator verifies the organization first.
     * Throws Problem not_found (404), invalid_transition (409) or conflict (409: not verified).
     */
    async grant(context: Context, { id, reason }: MutationGrantVerificationRequestArgs): Promise<VerificationRequestRow> {
      const found = await context.load(requests.byId, id);
      const owners = await fetchOrganizationOwners(context.graph, [found?.organizationId]);
      return writer.write(context, async (transaction) => {
        const before = await rows.lock(transaction, id);
        const status = nextState(partnerRequestTransitions, 'grant', before.status, ['MODERATOR']);
        if (owners.get(before.organizationId)?.verified !== true)
          throw new Problem('conflict', 'The organization is not verified. Verify it with `verifyOrganization` first.');
        return rows.change(transaction, before, decisionOf(context.viewer, status, reason), { action: 'grant', reason });
      });
    },
    /** Throws Problem not_found (404) or invalid_transition (409). */
    decline(context: Context, { id, reason }: MutationDeclineVerificationRequestArgs): Promise<VerificationRequestRow> {
      return writer.write(context, async (transaction) => {
        const before = await rows.lock(transaction, id);
        const status = nextState(partnerRequestTransitions, 'decline', before.status, ['MODERATOR']);
        return rows.change(transaction, before, decisionOf(context.viewer, status, reason), { action: 'decline', reason });
      });
    },
  };
}
