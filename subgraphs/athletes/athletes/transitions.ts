/** Status changes of athletes: transitions by owners and moderators, verification decisions, and the start of an erasure. */
import { Problem } from '../../../schema/errors.ts';
import type { Viewer } from '../../../schema/viewer.ts';
import {
  isModeratorTransition,
  lockForTransition,
  transitionNote,
  verificationDecision,
  type TransitionArguments,
} from '../../../platform/writes/lifecycle.ts';
import { changeRow, lockForModeration, lockOwned } from '../../../platform/writes/resource.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { replaysOf, type AreaServices, type Context } from '../../runtime/subgraph.ts';
import { getEffectiveScopes } from '../consents/effective-scopes.ts';
import { determineAdultFrom } from './adulthood.ts';
import { isMinor } from './age.ts';
import { rejectRemoved, requestErasure } from './erasure.ts';
import type { AthleteReads } from './reads.ts';
import { athleteResource, type AthleteRow } from './rows.ts';
import { athleteTransitions, type AthleteVerb } from './rules.ts';
import { writeAthlete } from './writes.ts';

/** Moves an athlete to another status. Age and consents are derived again, because the facts behind them may have changed. */
export async function moveAthlete(
  transaction: WriteTransaction,
  viewer: Viewer,
  verb: AthleteVerb,
  { id, reason }: TransitionArguments,
): Promise<AthleteRow> {
  const { row, status: next } = await lockForTransition(transaction, athleteResource, athleteTransitions, viewer, verb, id);
  const adultFrom = await determineAdultFrom(transaction, row.accountId, row);
  const consentScopes = await getEffectiveScopes(transaction, row);
  const minor = isMinor(adultFrom);
  const lacksConsent = minor && !consentScopes.includes('PROFILE');
  if (verb === 'activate' && lacksConsent) {
    const detail = 'Activating a minor, or an athlete of unknown age, requires the consent of a guardian.';
    throw new Problem('consent_required', detail, { missingScopes: ['PROFILE'] });
  }
  // a moderator replaces neither the consent of a guardian nor, after a change of age, the activation by the owner
  const status = verb === 'reinstate' && (lacksConsent || minor !== row.activatedAsMinor) ? 'PENDING_CONSENT' : next;
  const activatedAsMinor = verb === 'activate' ? minor : minor || row.activatedAsMinor;
  const values = { status, adultFrom, consentScopes, activatedAsMinor };
  return changeRow(transaction, athleteResource, row, values, transitionNote(verb, 'athlete.status_changed', reason));
}

/** Creates the mutations that change the status of an athlete. */
export function createAthleteTransitions(services: AreaServices, reads: AthleteReads) {
  const replay = replaysOf(reads.byId);
  const replayForModeration = replaysOf(reads.byIdForModeration);

  return {
    transition(context: Context, verb: AthleteVerb, args: TransitionArguments): Promise<AthleteRow> {
      const { id, reason, idempotencyKey } = args;
      const replayable = isModeratorTransition(athleteTransitions, verb) ? replayForModeration : replay;
      const work = (transaction: WriteTransaction) => moveAthlete(transaction, context.viewer, verb, args);
      return writeAthlete(services, context, work, replayable(context, `${verb}Athlete`, idempotencyKey, { id, reason }));
    },
    /** Starts an irreversible erasure. */
    erase(context: Context, { id, reason, idempotencyKey }: TransitionArguments): Promise<AthleteRow> {
      const work = async (transaction: WriteTransaction): Promise<AthleteRow> =>
        requestErasure(transaction, await lockOwned(transaction, athleteResource, context.viewer, id), reason ?? null);
      return writeAthlete(services, context, work, replay(context, 'eraseAthlete', idempotencyKey, { id, reason }));
    },
    /** Records a moderator's verification decision. `reason` is the method of a positive decision. */
    decide(
      context: Context,
      verb: 'verify' | 'reject',
      { id, reason, idempotencyKey }: TransitionArguments,
    ): Promise<AthleteRow> {
      const work = async (transaction: WriteTransaction): Promise<AthleteRow> => {
        const row = await lockForModeration(transaction, athleteResource, context.viewer, id);
        rejectRemoved(row);
        const { verification, note } = verificationDecision(verb, 'athlete.verified', reason);
        return changeRow(transaction, athleteResource, row, { verification }, note);
      };
      const replayable = replayForModeration(context, `${verb}Athlete`, idempotencyKey, { id, method: reason });
      return writeAthlete(services, context, work, replayable);
    },
  };
}
