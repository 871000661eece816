/** Writes of consents: the account that owns the athlete records and withdraws them, with immediate effect. */
import { Problem } from '../../../schema/errors.ts';
import { changeRow, insertResource, lockOwned, lockRow, resourceNotFound } from '../../../platform/writes/resource.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { replaysOf, type AreaServices, type Context } from '../../runtime/subgraph.ts';
import { isMinor } from '../athletes/age.ts';
import { rejectRemoved } from '../athletes/erasure.ts';
import { athleteResource } from '../athletes/rows.ts';
import type { MutationGiveConsentArgs, MutationWithdrawConsentArgs } from '../generated/resolvers.ts';
import { applyConsents, getEffectiveScopes } from './effective-scopes.ts';
import type { ConsentReads } from './reads.ts';
import { consentResource, type ConsentRow } from './rows.ts';

async function give(
  transaction: WriteTransaction,
  { viewer }: Context,
  { athleteId, input }: MutationGiveConsentArgs,
): Promise<ConsentRow> {
  const athlete = await lockOwned(transaction, athleteResource, viewer, athleteId);
  rejectRemoved(athlete);
  if (!isMinor(athlete.adultFrom))
    throw new Problem('conflict', 'The athlete is an adult. Consents of guardians apply to minors only.');
  const { guardian, evidence, scopes, textVersion } = input;
  const values = {
    accountId: athlete.accountId,
    athleteId,
    guardian: { ...guardian, email: guardian.email ?? null },
    evidence,
    scopes: [...new Set(scopes)].sort(),
    textVersion,
  };
  const consent = await insertResource(transaction, consentResource, values, null, { athleteId });
  await applyConsents(transaction, athlete, await getEffectiveScopes(transaction, athlete));
  return consent;
}

async function withdraw(
  transaction: WriteTransaction,
  { viewer }: Context,
  { athleteId, id, reason }: MutationWithdrawConsentArgs,
): Promise<ConsentRow> {
  const athlete = await lockOwned(transaction, athleteResource, viewer, athleteId);
  const consent = await lockRow(transaction, consentResource, id);
  if (consent.athleteId !== athleteId) throw resourceNotFound('consent', id);
  if (consent.withdrawnAt !== null)
    throw new Problem('invalid_transition', 'This consent has already been withdrawn.', { allowedTransitions: [] });
  const values = { withdrawnAt: new Date().toISOString(), withdrawalReason: reason ?? null };
  const note = { action: 'withdraw', event: 'consent.withdrawn', data: { athleteId } } as const;
  const withdrawn = await changeRow(transaction, consentResource, consent, values, note);
  await applyConsents(transaction, athlete, await getEffectiveScopes(transaction, athlete));
  return withdrawn;
}

/** Creates the writes of consents. */
export function createConsentWrites({ writer }: AreaServices, reads: ConsentReads) {
  const replay = replaysOf(reads.byId);

  return {
    /** Throws Problem not_found (404), not_owner (403), and conflict (409) for an adult. */
    give(context: Context, args: MutationGiveConsentArgs): Promise<ConsentRow> {
      context.notes.minor = true;
      const { athleteId, input, idempotencyKey } = args;
      const replayable = replay(context, 'giveConsent', idempotencyKey, { athleteId, input });
      return writer.write(context, (transaction) => give(transaction, context, args), replayable);
    },
    /** Hides what no other consent covers. Throws Problem not_found (404), not_owner (403), and invalid_transition (409). */
    withdraw(context: Context, args: MutationWithdrawConsentArgs): Promise<ConsentRow> {
      context.notes.minor = true;
      const { athleteId, id, reason, idempotencyKey } = args;
      const replayable = replay(context, 'withdrawConsent', idempotencyKey, { athleteId, id, reason });
      return writer.write(context, (transaction) => withdraw(transaction, context, args), replayable);
    },
  };
}
