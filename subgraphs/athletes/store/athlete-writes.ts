/** Athletes: their writes. */
import { Problem, refuse } from '../../../schema/errors.ts';
import type { Viewer } from '../../../schema/viewer.ts';
import { upserted, writeBatch, type BatchAnswer } from '../../../platform/batch.ts';
import { sql } from '../../../platform/database.ts';
import { externalIdOrder, findByExternalId, firstExternalId } from '../../../platform/external-id.ts';
import { requireVersion } from '../../../platform/precondition.ts';
import {
  changeRow,
  insertResource,
  lockOwn,
  lockRow,
  patchResource,
  removeRow,
  requireAccount,
} from '../../../platform/resource.ts';
import { nextState } from '../../../platform/transition.ts';
import type { WriteTransaction } from '../../../platform/write.ts';
import { replaysOf, type AreaServices, type Context } from '../../subgraph.ts';
import { latestToday } from '../../age.ts';
import { adultFrom, isMinor } from '../age.ts';
import { athleteConstraints } from '../constraints.ts';
import type { AthleteStatus, CreateAthleteInput, InputMaybe, UpdateAthleteInput } from '../resolvers.generated.ts';
import { athleteFaults, athleteTransitions, normalizeSports, type AthleteVerb } from '../rules.ts';
import { type AthleteStore } from './athlete.ts';
import { athleteResource, type AthleteRow } from './athlete-row.ts';

interface Step {
  readonly id: string;
  readonly reason?: string | null | undefined;
  readonly idempotencyKey?: string | null | undefined;
}

type Facts = { readonly [Member in keyof CreateAthleteInput]?: InputMaybe<CreateAthleteInput[Member]> };

/** Row values of an input, with what derives from them. */
function valuesOf(input: Facts, before: AthleteRow | null, verified: boolean): Partial<AthleteRow> {
  const { externalIds: _, status: __, sports, ...rest } = input;
  const values: Partial<AthleteRow> = { ...(rest as Partial<AthleteRow>) };
  const known = { ...(before ?? {}), ...values };
  const derived = {
    adultFrom: adultFrom({
      dateOfBirth: known.dateOfBirth ?? null,
      birthYear: known.birthYear ?? null,
      confirmed: verified && known.adultConfirmed === true,
    }),
  };
  if (!sports) return sports === null ? { ...values, ...derived, sports: null as never } : { ...values, ...derived };
  const normalized = normalizeSports(sports);
  return { ...values, ...derived, sports: normalized, sportCodes: normalized.map((each) => each.sport) };
}

/** An edit of the age across 18 asks for consent anew, whichever way it goes. */
function statusAfter(before: AthleteRow, values: Partial<AthleteRow>): AthleteStatus {
  if (values.adultFrom === undefined || before.status !== 'ACTIVE') return before.status;
  return isMinor(before.adultFrom) === isMinor(values.adultFrom) ? before.status : 'PENDING_CONSENT';
}

async function setSports(transaction: WriteTransaction, row: AthleteRow): Promise<void> {
  await transaction.query(sql`/* athletes.setSports */ with gone as (
      delete from athlete_sport where athlete_id = ${row.id} and sport <> all(${row.sportCodes})
    ) insert into athlete_sport (athlete_id, sport, discipline, positions, level)
      select ${row.id}, s.sport, s.discipline, s.positions, s.level
      from jsonb_to_recordset(${JSON.stringify(row.sports)}::jsonb) as s(sport text, discipline text, positions text[], level text)
      on conflict (athlete_id, sport) do update set discipline = excluded.discipline, positions = excluded.positions, level = excluded.level`);
}

/** Writes of athletes over the area's database. */
export function createAthleteWrites({ writer }: AreaServices, store: AthleteStore) {
  /** `adultConfirmed` counts only for accounts that hold a verified organization. */
  const verifiedFor = (viewer: Viewer, inputs: readonly Facts[]): Promise<boolean> =>
    inputs.some((input) => input.adultConfirmed === true) ? store.holdsVerifiedOrganization(viewer) : Promise.resolve(false);

  async function insert(
    transaction: WriteTransaction,
    accountId: string,
    input: CreateAthleteInput,
    verified: boolean,
  ): Promise<AthleteRow> {
    refuse(athleteFaults(input, latestToday()));
    const values = valuesOf(input, null, verified);
    const wanted = input.status ?? 'DRAFT';
    const status = wanted === 'ACTIVE' && isMinor(values.adultFrom ?? null) ? 'PENDING_CONSENT' : wanted;
    const row = await insertResource(transaction, athleteResource, { ...values, status, accountId }, input.externalIds);
    await setSports(transaction, row);
    return row;
  }

  async function patch(transaction: WriteTransaction, before: AthleteRow, input: Facts, verified: boolean): Promise<AthleteRow> {
    refuse(athleteFaults(input, latestToday()));
    const values = valuesOf(input, before, verified);
    // A confirmation once accepted stays, although this writer may not be one who could give it.
    const kept =
      !('adultConfirmed' in input) && before.adultConfirmed === true
        ? { ...values, adultFrom: values.adultFrom ?? before.adultFrom }
        : values;
    const row = await patchResource(
      transaction,
      athleteResource,
      before,
      { ...kept, status: statusAfter(before, kept) },
      input.externalIds,
    );
    if (input.sports && row.version !== before.version) await setSports(transaction, row);
    return row;
  }

  const reloading = replaysOf(store.byId);

  return {
    async create(context: Context, input: CreateAthleteInput, key: string | null | undefined): Promise<AthleteRow> {
      const accountId = requireAccount(context.viewer);
      const verified = await verifiedFor(context.viewer, [input]);
      return writer.write(
        context,
        (transaction) => insert(transaction, accountId, input, verified),
        reloading(context, 'createAthlete', key, input),
      );
    },
    async update(context: Context, id: string, input: UpdateAthleteInput, ifMatch: string): Promise<AthleteRow> {
      const verified = await verifiedFor(context.viewer, [input]);
      return writer.write(context, async (transaction) => {
        const before = await lockOwn(transaction, athleteResource, context.viewer, id);
        requireVersion(ifMatch, before.version);
        return patch(transaction, before, input, verified);
      });
    },
    remove(context: Context, id: string, ifMatch: string): Promise<AthleteRow> {
      return writer.write(context, async (transaction) => {
        const row = await lockOwn(transaction, athleteResource, context.viewer, id);
        requireVersion(ifMatch, row.version);
        const [member] = await transaction.query(
          sql`/* athletes.isMember */ select from membership where athlete_id = ${id} limit 1`,
        );
        if (row.status !== 'DRAFT' || member)
          throw new Problem('in_use', 'Only a draft that nothing refers to can be deleted; deactivate the athlete instead.');
        await removeRow(transaction, athleteResource, row);
        return row;
      });
    },
    /** Takes a step of the state machine, as the owner or as a moderator. */
    transition(context: Context, verb: AthleteVerb, { id, reason, idempotencyKey }: Step): Promise<AthleteRow> {
      const moderates = athleteTransitions[verb].actors.some((actor) => actor === 'MODERATOR');
      const step = async (transaction: WriteTransaction): Promise<AthleteRow> => {
        const row = moderates
          ? await lockRow(transaction, athleteResource, id)
          : await lockOwn(transaction, athleteResource, context.viewer, id);
        const status = nextState(athleteTransitions, verb, row.status, moderates ? ['MODERATOR'] : ['OWNER']);
        if (status === 'ACTIVE' && isMinor(row.adultFrom)) {
          throw new Problem(
            'consent_required',
            'A minor, or an athlete of unknown age, is shown only with the consent of a guardian.',
            { missingScopes: ['PROFILE'] },
          );
        }
        return changeRow(
          transaction,
          athleteResource,
          row,
          { status },
          { action: verb, event: 'athlete.status_changed', data: reason ? { reason } : {} },
        );
      };
      return writer.write(context, step, reloading(context, `${verb}Athlete`, idempotencyKey, { id, reason }));
    },
    /** A moderator's word on who the athlete is. */
    decide(context: Context, verb: 'verify' | 'reject', { id, reason: method, idempotencyKey }: Step): Promise<AthleteRow> {
      const step = async (transaction: WriteTransaction): Promise<AthleteRow> => {
        const row = await lockRow(transaction, athleteResource, id);
        const verification = {
          status: verb === 'verify' ? 'VERIFIED' : 'REJECTED',
          method: method ?? null,
          at: new Date().toISOString(),
        } as const;
        return changeRow(transaction, athleteResource, row, { verification }, { action: verb, event: 'athlete.verified' });
      };
      return writer.write(context, step, reloading(context, `${verb}Athlete`, idempotencyKey, { id, method }));
    },
    async upsert(
      context: Context,
      items: readonly CreateAthleteInput[],
      idempotencyKey: string | null | undefined,
    ): Promise<BatchAnswer> {
      const accountId = requireAccount(context.viewer);
      const verified = await verifiedFor(context.viewer, items);
      const request = {
        operation: 'upsertAthletes',
        idempotencyKey,
        items,
        orderBy: externalIdOrder,
        constraints: athleteConstraints,
      };
      return writeBatch(writer, context, request, async (transaction, item) => {
        const id = await findByExternalId(transaction, 'athlete', accountId, firstExternalId(item));
        if (id === null) return upserted(null, await insert(transaction, accountId, item, verified));
        const before = await lockRow(transaction, athleteResource, id);
        return upserted(before, await patch(transaction, before, item, verified));
      });
    },
  };
}
