/** Contact requests: sent by one account, answered by the other, and expired by the timer. */
import { Problem, validationProblem, rejectInvalid } from '../../../schema/errors.ts';
import { owns, type Viewer } from '../../../schema/viewer.ts';
import { sql, type Database } from '../../../platform/database/database.ts';
import { changeRow, insertResource, requireAccount } from '../../../platform/writes/resource.ts';
import { lockAsParty } from '../../../platform/writes/parties.ts';
import { nextState } from '../../../platform/writes/transition.ts';
import type { Writer, WriteTransaction } from '../../../platform/writes/write.ts';
import { unknownAthleteViolation } from '../../clients/athlete-facts.ts';
import { isPublicOrganization, ownerViolation, fetchOrganizationOwners } from '../../clients/organization-owners.ts';
import { requireContactConsent, visibleAthlete, type VisibleAthlete } from '../../clients/visible-athletes.ts';
import { replaysOf, type AreaServices, type Context } from '../../runtime/subgraph.ts';
import {
  actorsOf,
  responseWindowMs,
  contactRequestTransitions,
  declineCooldownMs,
  statusAt,
  type ContactRequestVerb,
} from './lifecycle.ts';
import type { MutationSendContactRequestArgs } from '../resolvers.generated.ts';
import { contactRequestResource, contactRequests, type ContactRequestRow, type ContactRequestReads } from './reads.ts';

const moved = (action: string, { athleteId, ownerAccountId }: ContactRequestRow) =>
  ({ action, event: 'contact_request.status_changed', data: { athleteId, ownerAccountId } }) as const;

const lockSide = (transaction: WriteTransaction, viewer: Viewer, id: string): Promise<ContactRequestRow> =>
  lockAsParty(transaction, contactRequestResource, id, (row) => actorsOf(viewer, row).length > 0);

/** Writes down that nobody answered a locked request in time, where nobody did. */
async function expireIfOver(transaction: WriteTransaction, row: ContactRequestRow): Promise<ContactRequestRow> {
  if (row.status !== 'SENT' || statusAt(row) === 'SENT') return row;
  const status = nextState(contactRequestTransitions, 'expire', row.status, ['TIMER']);
  return changeRow(transaction, contactRequestResource, row, { status }, moved('expire', row));
}

/**
 * Refuses to ask again who was asked: while the answer is waited for, once it is yes, and for a while after a no.
 * Throws Problem conflict (409, with existingId).
 */
async function refuseAskedAgain(transaction: WriteTransaction, accountId: string, athleteId: string): Promise<void> {
  const rows = await transaction.query<ContactRequestRow>(sql`/* contactRequests.lockStanding */
    select ${contactRequests.columns} from contact_request where account_id = ${accountId} and athlete_id = ${athleteId}
      and (status in ('SENT', 'ACCEPTED') or status = 'DECLINED' and answered_at > ${new Date(Date.now() - declineCooldownMs).toISOString()}::timestamptz)
    order by id for update`);
  for (const row of rows) {
    const { id, status } = await expireIfOver(transaction, row);
    if (status === 'EXPIRED') continue;
    const detail = `The owner of this athlete was asked already, and the request is ${status}: see existingId.`;
    throw new Problem('conflict', detail, { existingId: id });
  }
}

const portion = 500;

/** Writes down which requests nobody answered in time. Returns whether there are more. */
export async function expireContactRequests(database: Database, writer: Writer): Promise<boolean> {
  return database.transaction(async (transaction) => {
    const rows = await transaction.query<ContactRequestRow>(sql`/* contactRequests.lockExpired */
      select ${contactRequests.columns} from contact_request where status = 'SENT' and expires_at <= now() order by expires_at limit ${portion} for update`);
    await writer.writeWithin(transaction, async (work) => {
      for (const row of rows) await expireIfOver(work, row);
    });
    return rows.length === portion;
  });
}

/** Writes of contact requests over the area's database. */
export function createContactRequestWrites({ writer }: AreaServices, store: ContactRequestReads) {
  const reloading = replaysOf(store.byId);

  return {
    /**
     * Throws Problem validation_failed (422) for who is unknown or hidden, consent_required (409, with missingScopes) for a minor, and
     * conflict (409, with existingId) where the owner was asked already.
     */
    async send(context: Context, { input, idempotencyKey }: MutationSendContactRequestArgs): Promise<ContactRequestRow> {
      const { viewer } = context;
      const accountId = requireAccount(viewer);
      const { athleteId, organizationId, message } = input;
      const [athlete, owners] = await Promise.all([
        visibleAthlete(context, athleteId),
        fetchOrganizationOwners(context.graph, organizationId ? [organizationId] : []),
      ]);
      const organization = organizationId ? owners.get(organizationId) : undefined;
      const violations = [
        athlete &&
          owns(viewer, athlete.accountId) && {
            pointer: '/athleteId',
            code: 'own_athlete',
            detail: 'This athlete is of your own account: there is nobody to ask.',
          },
        ownerViolation('/organizationId', organizationId, accountId, owners),
        organization?.accountId === accountId &&
          !isPublicOrganization(organization) && {
            pointer: '/organizationId',
            code: 'not_active',
            detail: 'The owner of the athlete is to see who asks: activate the organization first.',
          },
      ];
      const work = async (transaction: WriteTransaction): Promise<ContactRequestRow> => {
        if (!athlete) throw validationProblem([unknownAthleteViolation('/athleteId'), ...violations]);
        rejectInvalid(violations);
        requireContactConsent(athlete);
        await refuseAskedAgain(transaction, accountId, athleteId);
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
      return writer.write(context, work, reloading(context, 'sendContactRequest', idempotencyKey, input));
    },
    /** Throws Problem not_found (404), not_owner (403) for the sender, invalid_transition (409), consent_required (409) for a minor. */
    async answer(
      context: Context,
      verb: ContactRequestVerb,
      args: { id: string; answer?: string | null | undefined; idempotencyKey?: string | null | undefined },
    ): Promise<ContactRequestRow> {
      const { id, answer, idempotencyKey } = args;
      // asked before the transaction, so that no connection waits for another area
      const known = verb === 'accept' ? await context.load(store.byId, id) : null;
      const athlete: VisibleAthlete | undefined = await visibleAthlete(context, known?.athleteId);
      const work = async (transaction: WriteTransaction): Promise<ContactRequestRow> => {
        const row = await lockSide(transaction, context.viewer, id);
        const status = nextState(contactRequestTransitions, verb, statusAt(row), actorsOf(context.viewer, row));
        if (verb === 'accept') {
          if (athlete?.id !== row.athleteId)
            throw new Problem('conflict', 'The athlete is being erased or merged: repeat the request.');
          requireContactConsent(athlete);
        }
        const values = { status, answer: answer ?? null, answeredAt: new Date().toISOString() };
        return changeRow(transaction, contactRequestResource, row, values, moved(verb, row));
      };
      return writer.write(context, work, reloading(context, `${verb}ContactRequest`, idempotencyKey, { id, answer }));
    },
  };
}
