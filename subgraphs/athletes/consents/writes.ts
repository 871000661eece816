/** Consents: given by a guardian, recorded by the account that owns the athlete, withdrawn with effect at once. */
import { Problem } from '../../../schema/errors.ts';
import { changeRow, insertResource, lockOwned, lockRow, resourceNotFound } from '../../../platform/writes/resource.ts';
import { replaysOf, type AreaServices, type Context } from '../../runtime/subgraph.ts';
import { isMinor } from '../athletes/age.ts';
import type { MutationGiveConsentArgs, MutationWithdrawConsentArgs } from '../resolvers.generated.ts';
import { rejectRemoved } from '../athletes/erasure.ts';
import { athleteResource } from '../athletes/rows.ts';
import { consentResource, type ConsentRow } from './rows.ts';
import type { ConsentReads } from './reads.ts';
import { applyConsents, getEffectiveScopes } from './effective-scopes.ts';

/** Writes of consents over the area's database. */
export function createConsentWrites({ writer }: AreaServices, store: ConsentReads) {
  const reloading = replaysOf(store.byId);

  return {
    /** Throws Problem not_found (404), not_owner (403), and conflict (409) for an adult. */
    give(context: Context, { athleteId, input, idempotencyKey }: MutationGiveConsentArgs): Promise<ConsentRow> {
      context.notes.minor = true;
      const replay = reloading(context, 'giveConsent', idempotencyKey, { athleteId, input });
      return writer.write(
        context,
        async (transaction) => {
          const athlete = await lockOwned(transaction, athleteResource, context.viewer, athleteId);
          rejectRemoved(athlete);
          if (!isMinor(athlete.adultFrom))
            throw new Problem('conflict', 'The athlete is an adult: nobody else consents for an adult.');
          const { guardian, evidence, scopes, textVersion } = input;
          const consent = await insertResource(
            transaction,
            consentResource,
            {
              accountId: athlete.accountId,
              athleteId,
              guardian: { ...guardian, email: guardian.email ?? null },
              evidence,
              scopes: [...new Set(scopes)].sort(),
              textVersion,
            },
            null,
            { athleteId },
          );
          await applyConsents(transaction, athlete, await getEffectiveScopes(transaction, athlete));
          return consent;
        },
        replay,
      );
    },
    /** Hides at once what no other consent shows. Throws Problem not_found (404), not_owner (403), invalid_transition (409) for a withdrawn one. */
    withdraw(context: Context, { athleteId, id, reason, idempotencyKey }: MutationWithdrawConsentArgs): Promise<ConsentRow> {
      context.notes.minor = true;
      const replay = reloading(context, 'withdrawConsent', idempotencyKey, { athleteId, id, reason });
      return writer.write(
        context,
        async (transaction) => {
          const athlete = await lockOwned(transaction, athleteResource, context.viewer, athleteId);
          const consent = await lockRow(transaction, consentResource, id);
          if (consent.athleteId !== athleteId) throw resourceNotFound('consent', id);
          if (consent.withdrawnAt !== null)
            throw new Problem('invalid_transition', 'The consent is withdrawn already.', { allowedTransitions: [] });
          const values = { withdrawnAt: new Date().toISOString(), withdrawalReason: reason ?? null };
          const moved = { action: 'withdraw', event: 'consent.withdrawn', data: { athleteId } } as const;
          const withdrawn = await changeRow(transaction, consentResource, consent, values, moved);
          await applyConsents(transaction, athlete, await getEffectiveScopes(transaction, athlete));
          return withdrawn;
        },
        replay,
      );
    },
  };
}
