/** Mutations of contact requests: one account sends a request, the other answers it. */
import { Problem, validationProblem, rejectInvalid } from '../../../schema/errors.ts';
import { owns, type Viewer } from '../../../schema/viewer.ts';
import { sql } from '../../../platform/database/database.ts';
import { lockAsParty } from '../../../platform/writes/parties.ts';
import { changeRow, insertResource, requireAccount } from '../../../platform/writes/resource.ts';
import { nextState } from '../../../platform/writes/transition.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { unknownAthleteViolation } from '../../clients/athlete-facts.ts';
import {
  isPublicOrganization,
  ownerViolation,
  fetchOrganizationOwners,
  type OrganizationOwners,
} from '../../clients/organization-owners.ts';
import { requireContactConsent, visibleAthlete, type VisibleAthlete } from '../../clients/visible-athletes.ts';
import { replaysOf, type AreaServices, type Context } from '../../runtime/subgraph.ts';
import type { MutationSendContactRequestArgs, SendContactRequestInput } from '../generated/resolvers.ts';
import { expireIfDue } from './expiry.ts';
import {
  actorsOf,
  contactRequestTransitions,
  declineCooldownMs,
  responseWindowMs,
  statusAt,
  type ContactRequestVerb,
} from './lifecycle.ts';
import type { ContactRequestReads } from './reads.ts';
import { contactRequestResource, contactRequests, statusNote, type ContactRequestRow } from './rows.ts';

const lockForParty = (transaction: WriteTransaction, viewer: Viewer, id: string): Promise<ContactRequestRow> =>
  lockAsParty(transaction, contactRequestResource, id, (row) => actorsOf(viewer, row).length > 0);

/**
 * Rejects another request for an athlete while one is pending or accepted, and for a while after one was declined.
 * Throws Problem conflict (409, with existingId).
 */
async function rejectRepeated(transaction: WriteTransaction, accountId: string, athleteId: string): Promise<void> {
  const declinedAfter = new Date(Date.now() - declineCooldownMs).toISOString();
  const rows = await transaction.query<ContactRequestRow>(sql`/* contactRequests.lockStanding */
    select ${contactRequests.columns} from contact_request where account_id = ${accountId} and athlete_id = ${athleteId}
      and (status in ('SENT', 'ACCEPTED') or status = 'DECLINED' and answered_at > ${declinedAfter}::timestamptz)
    order by id for update`);
  for (const row of rows) {
    const { id, status } = await expireIfDue(transaction, row);
    if (status === 'EXPIRED') continue;
    const detail = `Your account already has a contact request for this athlete with the status ${status}. See \`existingId\`.`;
    throw new Problem('conflict', detail, { existingId: id });
  }
}

function sendViolations(
  viewer: Viewer,
  accountId: string,
  { organizationId }: SendContactRequestInput,
  athlete: VisibleAthlete | undefined,
  owners: OrganizationOwners,
) {
  const organization = organizationId ? owners.get(organizationId) : undefined;
  return [
    athlete &&
      owns(viewer, athlete.accountId) && {
        pointer: '/athleteId',
        code: 'own_athlete',
        detail: 'This athlete belongs to your own account. No contact request is needed.',
      },
    ownerViolation('/organizationId', organizationId, accountId, owners),
    organization?.accountId === accountId &&
      !isPublicOrganization(organization) && {
        pointer: '/organizationId',
        code: 'not_active',
        detail: 'The organization is not active, so the owner of the athlete cannot see it. Activate it first.',
      },
  ];
}

interface AnswerArgs {
  readonly id: string;
  readonly answer?: string | null | undefined;
  readonly idempotencyKey?: string | null | undefined;
}

export function createContactRequestWrites({ writer }: AreaServices, reads: ContactRequestReads) {
  const replay = replaysOf(reads.byId);

  /**
   * Throws Problem validation_failed (422) for an unknown or hidden athlete, consent_required (409, with missingScopes) for a minor, and
   * conflict (409, with existingId) for a repeated request.
   */
  async function send(context: Context, { input, idempotencyKey }: MutationSendContactRequestArgs): Promise<ContactRequestRow> {
    const { viewer } = context;
    const accountId = requireAccount(viewer);
    const { athleteId, organizationId, message } = input;
    const [athlete, owners] = await Promise.all([
      visibleAthlete(context, athleteId),
      fetchOrganizationOwners(context.graph, [organizationId]),
    ]);
    const violations = sendViolations(viewer, accountId, input, athlete, owners);
    const work = async (transaction: WriteTransaction): Promise<ContactRequestRow> => {
      if (!athlete) throw validationProblem([unknownAthleteViolation('/athleteId'), ...violations]);
      rejectInvalid(violations);
      requireContactConsent(athlete);
      await rejectRepeated(transaction, accountId, athleteId);
      const ownerAccountId = athlete.accountId;
      const values = {
        accountId,
        ownerAccountId,
        athleteId,
        namedId: athleteId,
        organizationId: organizationId ?? null,
        message,
        expiresAt: new Date(Date.now() + responseWindowMs).toISOString(),
      };
      return insertResource(transaction, contactRequestResource, values, null, { athleteId, ownerAccountId });
    };
    return writer.write(context, work, replay(context, 'sendContactRequest', idempotencyKey, input));
  }

  /** Throws Problem not_found (404), not_owner (403) for the sender, invalid_transition (409), consent_required (409) for a minor. */
  async function answerRequest(context: Context, verb: ContactRequestVerb, args: AnswerArgs): Promise<ContactRequestRow> {
    const { id, answer, idempotencyKey } = args;
    // Read before the transaction: a transaction must not wait for another area.
    const request = verb === 'accept' ? await context.load(reads.byId, id) : null;
    const athlete = await visibleAthlete(context, request?.athleteId);
    const work = async (transaction: WriteTransaction): Promise<ContactRequestRow> => {
      const row = await lockForParty(transaction, context.viewer, id);
      const status = nextState(contactRequestTransitions, verb, statusAt(row), actorsOf(context.viewer, row));
      if (verb === 'accept') {
        if (athlete?.id !== row.athleteId)
          throw new Problem('conflict', 'The athlete was erased or merged during the request. Send the request again.');
        requireContactConsent(athlete);
      }
      const values = { status, answer: answer ?? null, answeredAt: new Date().toISOString() };
      return changeRow(transaction, contactRequestResource, row, values, statusNote(verb, row));
    };
    return writer.write(context, work, replay(context, `${verb}ContactRequest`, idempotencyKey, { id, answer }));
  }

  return { send, answer: answerRequest };
}
