/** Athletes: their writes. */
import { Problem, rejectInvalid } from '../../../schema/errors.ts';
import type { Viewer } from '../../../schema/viewer.ts';
import { upsertOutcome, writeBatch, type BatchResult } from '../../../platform/writes/batch.ts';
import { sql } from '../../../platform/database/database.ts';
import { externalIdOrder, findByExternalId, firstExternalId } from '../../../platform/writes/external-id.ts';
import { eraseTraces } from '../../../platform/writes/erase-traces.ts';
import { requireVersion } from '../../../platform/writes/precondition.ts';
import {
  changeRow,
  insertResource,
  lockForModeration,
  lockOwned,
  patchResource,
  removeRow,
  requireAccount,
} from '../../../platform/writes/resource.ts';
import { nextState } from '../../../platform/writes/transition.ts';
import type { Replayable, WriteTransaction } from '../../../platform/writes/write.ts';
import { replaysOf, type AreaServices, type Context } from '../../runtime/subgraph.ts';
import { latestToday } from '../../runtime/age.ts';
import { fetchOrganizationOwners, type OrganizationOwners } from '../../clients/organization-owners.ts';
import { verificationAfter } from '../../runtime/verification.ts';
import { isMinor } from './age.ts';
import { athleteConstraints } from '../constraints.ts';
import type { CreateAthleteInput, UpdateAthleteInput } from '../resolvers.generated.ts';
import { athleteViolations, athleteTransitions, verifiedMembers, type AthleteVerb } from './rules.ts';
import { determineAdultFrom } from './adulthood.ts';
import { idsIn, rejectRemoved, requestErasure } from './erasure.ts';
import { getEffectiveScopes } from '../consents/effective-scopes.ts';
import { noteAthletes, type AthleteReads } from './reads.ts';
import { athleteResource, type AthleteRow } from './rows.ts';
import { consentResource } from '../consents/rows.ts';
import { setSports, statusAfter, valuesOf, type AthleteInput } from './values.ts';

interface Step {
  readonly id: string;
  readonly reason?: string | null | undefined;
  readonly idempotencyKey?: string | null | undefined;
}

/** What is known of the institutions that inputs name: one fetch for any number of athletes, none where none is named. */
function institutionsOf({ graph }: Context, inputs: readonly AthleteInput[]): Promise<OrganizationOwners> {
  return fetchOrganizationOwners(
    graph,
    inputs.map(({ education }) => education?.institutionId),
  );
}

/** Writes of athletes over the area's database. */
export function createAthleteWrites({ writer }: AreaServices, store: AthleteReads) {
  async function insert(
    transaction: WriteTransaction,
    accountId: string,
    input: CreateAthleteInput,
    institutions: OrganizationOwners,
  ): Promise<AthleteRow> {
    rejectInvalid(athleteViolations(input, { today: latestToday(), accountId, institutions }));
    const values = { ...valuesOf(input), adultFrom: await determineAdultFrom(transaction, accountId, input) };
    const wanted = input.status ?? 'DRAFT';
    const status = wanted === 'ACTIVE' && isMinor(values.adultFrom) ? 'PENDING_CONSENT' : wanted;
    const row = await insertResource(transaction, athleteResource, { ...values, status, accountId }, input.externalIds);
    await setSports(transaction, row);
    return row;
  }

  async function patch(
    transaction: WriteTransaction,
    viewer: Viewer,
    before: AthleteRow,
    input: AthleteInput,
    institutions: OrganizationOwners,
  ): Promise<AthleteRow> {
    const changed = valuesOf(input);
    const { dateOfBirth, birthYear } = { ...before, ...changed };
    // the two are checked against each other, wherever each comes from
    const birth = 'dateOfBirth' in input || 'birthYear' in input ? { dateOfBirth, birthYear } : {};
    const { accountId } = before;
    rejectInvalid(athleteViolations({ ...input, ...birth }, { today: latestToday(), accountId, institutions }));
    const values = { ...changed, adultFrom: await determineAdultFrom(transaction, accountId, { ...before, ...changed }) };
    const row = await patchResource(
      transaction,
      athleteResource,
      before,
      {
        ...values,
        status: statusAfter(before, values.adultFrom),
        verification: verificationAfter(viewer, before, changed, verifiedMembers),
      },
      input.externalIds,
    );
    if (input.sports && row.version !== before.version) await setSports(transaction, row);
    return row;
  }

  const reloading = replaysOf(store.byId);
  const reloadingModerated = replaysOf(store.moderated);

  /** Writes, and tells the door whom the answer shows. */
  async function written(
    context: Context,
    work: (transaction: WriteTransaction) => Promise<AthleteRow>,
    replayable?: Replayable<AthleteRow>,
  ): Promise<AthleteRow> {
    const row = await writer.write(context, work, replayable);
    noteAthletes(context, [row]);
    return row;
  }

  return {
    async create(context: Context, input: CreateAthleteInput, key: string | null | undefined): Promise<AthleteRow> {
      const accountId = requireAccount(context.viewer);
      const institutions = await institutionsOf(context, [input]);
      const work = (transaction: WriteTransaction) => insert(transaction, accountId, input, institutions);
      return written(context, work, reloading(context, 'createAthlete', key, input));
    },
    async update(context: Context, id: string, input: UpdateAthleteInput, ifMatch: string): Promise<AthleteRow> {
      const institutions = await institutionsOf(context, [input]);
      return written(context, async (transaction) => {
        const before = await lockOwned(transaction, athleteResource, context.viewer, id);
        rejectRemoved(before);
        requireVersion(ifMatch, before.version);
        return patch(transaction, context.viewer, before, input, institutions);
      });
    },
    remove(context: Context, id: string, ifMatch: string): Promise<AthleteRow> {
      return written(context, async (transaction) => {
        const row = await lockOwned(transaction, athleteResource, context.viewer, id);
        requireVersion(ifMatch, row.version);
        const [reference] = await transaction.query(sql`/* athletes.referring */ select from membership where athlete_id = ${id}
          union all select from statistics where athlete_id = ${id} union all select from athlete where merged_into = ${id} limit 1`);
        if (row.status !== 'DRAFT' || reference)
          throw new Problem(
            'in_use',
            'Only a draft that nothing refers to can be deleted; deactivate or erase the athlete instead.',
          );
        const consents = await idsIn(transaction, 'consent', [id]);
        // they go with the row
        await removeRow(transaction, athleteResource, row);
        await eraseTraces(transaction, consentResource.type, consents);
        return row;
      });
    },
    /** Takes a step of the state machine, as the owner or as a moderator. */
    transition(context: Context, verb: AthleteVerb, { id, reason, idempotencyKey }: Step): Promise<AthleteRow> {
      const moderates = athleteTransitions[verb].actors.some((actor) => actor === 'MODERATOR');
      const step = async (transaction: WriteTransaction): Promise<AthleteRow> => {
        const row = moderates
          ? await lockForModeration(transaction, athleteResource, context.viewer, id)
          : await lockOwned(transaction, athleteResource, context.viewer, id);
        const next = nextState(athleteTransitions, verb, row.status, moderates ? ['MODERATOR'] : ['OWNER']);
        // counted anew: what confirmed the age may be no more, or be there again
        const adultFrom = await determineAdultFrom(transaction, row.accountId, row);
        const consentScopes = await getEffectiveScopes(transaction, row);
        const minor = isMinor(adultFrom);
        const unconsented = minor && !consentScopes.includes('PROFILE');
        if (verb === 'activate' && unconsented) {
          throw new Problem(
            'consent_required',
            'A minor, or an athlete of unknown age, is shown only with the consent of a guardian.',
            { missingScopes: ['PROFILE'] },
          );
        }
        // a moderator decides neither for a guardian nor, where the age is another than when it was activated, for the owner
        const status = verb === 'reinstate' && (unconsented || minor !== row.activatedAsMinor) ? 'PENDING_CONSENT' : next;
        return changeRow(
          transaction,
          athleteResource,
          row,
          { status, adultFrom, consentScopes, activatedAsMinor: verb === 'activate' ? minor : minor || row.activatedAsMinor },
          { action: verb, event: 'athlete.status_changed', data: reason ? { reason } : {} },
        );
      };
      const replay = moderates ? reloadingModerated : reloading;
      return written(context, step, replay(context, `${verb}Athlete`, idempotencyKey, { id, reason }));
    },
    /** Begins what cannot be taken back: athlete-erasure.ts. */
    erase(context: Context, { id, reason, idempotencyKey }: Step): Promise<AthleteRow> {
      const work = async (transaction: WriteTransaction): Promise<AthleteRow> =>
        requestErasure(transaction, await lockOwned(transaction, athleteResource, context.viewer, id), reason ?? null);
      return written(context, work, reloading(context, 'eraseAthlete', idempotencyKey, { id, reason }));
    },
    /** A moderator's word on who the athlete is. */
    decide(context: Context, verb: 'verify' | 'reject', { id, reason: method, idempotencyKey }: Step): Promise<AthleteRow> {
      const step = async (transaction: WriteTransaction): Promise<AthleteRow> => {
        const row = await lockForModeration(transaction, athleteResource, context.viewer, id);
        rejectRemoved(row);
        const verification = {
          status: verb === 'verify' ? 'VERIFIED' : 'REJECTED',
          method: method ?? null,
          at: new Date().toISOString(),
        } as const;
        const data = verb === 'reject' && method ? { reason: method } : {};
        const moved = { action: verb, event: 'athlete.verified', data } as const;
        return changeRow(transaction, athleteResource, row, { verification }, moved);
      };
      return written(context, step, reloadingModerated(context, `${verb}Athlete`, idempotencyKey, { id, method }));
    },
    async upsert(
      context: Context,
      items: readonly CreateAthleteInput[],
      idempotencyKey: string | null | undefined,
    ): Promise<BatchResult> {
      const accountId = requireAccount(context.viewer);
      const institutions = await institutionsOf(context, items);
      const request = {
        operation: 'upsertAthletes',
        idempotencyKey,
        items,
        orderBy: externalIdOrder,
        constraints: athleteConstraints,
      };
      return writeBatch(writer, context, request, async (transaction, item) => {
        const id = await findByExternalId(transaction, 'athlete', accountId, firstExternalId(item));
        if (id === null) return upsertOutcome(null, await insert(transaction, accountId, item, institutions));
        // an external id may have come to another account's profile by a merge
        const before = await lockOwned(transaction, athleteResource, context.viewer, id);
        rejectRemoved(before);
        return upsertOutcome(before, await patch(transaction, context.viewer, before, item, institutions));
      });
    },
  };
}
