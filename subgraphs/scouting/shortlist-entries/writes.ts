/** Mutations of shortlist entries. The account must be able to see the athlete when it adds the entry. */
import { Problem, validationProblem } from '../../../schema/errors.ts';
import { owns, type Viewer } from '../../../schema/viewer.ts';
import { sql } from '../../../platform/database/database.ts';
import { requireVersion } from '../../../platform/writes/precondition.ts';
import {
  changeRow,
  insertResource,
  lockOwned,
  patchResource,
  removeRow,
  resourceNotFound,
} from '../../../platform/writes/resource.ts';
import { allowedTransitions, nextState } from '../../../platform/writes/transition.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { unknownAthleteViolation } from '../../clients/athlete-facts.ts';
import { requireContactConsent, visibleAthlete, type VisibleAthlete } from '../../clients/visible-athletes.ts';
import { rowValues } from '../../runtime/row-values.ts';
import { replaysOf, type AreaServices, type Context } from '../../runtime/subgraph.ts';
import { hasContact } from '../contact-requests/reads.ts';
import type {
  AddShortlistEntryInput,
  MutationAddShortlistEntryArgs,
  MutationMoveShortlistEntryArgs,
  MutationRemoveShortlistEntryArgs,
  MutationUpdateShortlistEntryArgs,
} from '../generated/resolvers.ts';
import { eraseReports } from '../scouting-reports/erasure.ts';
import { shortlistResource, type ShortlistRow } from '../shortlists/rows.ts';
import type { ShortlistEntryReads } from './reads.ts';
import { entryResource, type ShortlistEntryRow } from './rows.ts';
import { stageTransitions } from './rules.ts';

/** Locks an entry of a shortlist. Throws Problem not_found (404). */
export async function lockEntry(
  transaction: WriteTransaction,
  viewer: Viewer,
  shortlistId: string,
  id: string,
): Promise<ShortlistEntryRow> {
  const row = await lockOwned(transaction, entryResource, viewer, id);
  if (row.shortlistId !== shortlistId) throw resourceNotFound('shortlist_entry', id);
  return row;
}

/** Throws Problem conflict (409) if the athlete of an entry is no longer visible to the account, which then cannot collect more data. */
export function requireVisible(row: ShortlistEntryRow, athlete: VisibleAthlete | undefined): asserts athlete is VisibleAthlete {
  if (athlete?.id === row.athleteId) return;
  const detail =
    'The athlete of this entry is no longer visible to your account. You can still change the priority, the notes and the stage.';
  throw new Problem('conflict', detail);
}

/**
 * Throws Problem conflict (409) for a hidden athlete, consent_required (409) for a minor without consent, and invalid_transition (409)
 * without a contact request.
 */
async function requireContact(
  transaction: WriteTransaction,
  viewer: Viewer,
  row: ShortlistEntryRow,
  athlete: VisibleAthlete | undefined,
): Promise<void> {
  requireVisible(row, athlete);
  // An account needs no contact request for its own athletes.
  if (owns(viewer, athlete.accountId)) return;
  requireContactConsent(athlete);
  if (await hasContact(transaction, row.accountId, row.athleteId)) return;
  const allowed = allowedTransitions(stageTransitions, row.stage, ['OWNER']).filter((stage) => stage !== 'CONTACTED');
  const detail =
    'CONTACTED requires a pending or accepted contact request to the owner of the athlete. Send one with POST /api/v1/scouting/contact-requests.';
  throw new Problem('invalid_transition', detail, { state: row.stage, allowedTransitions: allowed });
}

/** Adds an athlete to a locked shortlist. Throws Problem validation_failed (422), conflict (409, with existingId). */
export async function insertEntry(
  transaction: WriteTransaction,
  list: Pick<ShortlistRow, 'id' | 'accountId'>,
  athlete: VisibleAthlete | undefined,
  { priority, notes, externalIds }: AddShortlistEntryInput,
): Promise<ShortlistEntryRow> {
  if (!athlete) throw validationProblem([unknownAthleteViolation('/athleteId')]);
  const { id: shortlistId, accountId } = list;
  const [existing] = await transaction.query<{ id: string }>(sql`/* shortlistEntries.ofAthlete */
    select id from shortlist_entry where shortlist_id = ${shortlistId} and athlete_id = ${athlete.id}`);
  if (existing)
    throw new Problem('conflict', 'The athlete is already on this shortlist. See `existingId`.', { existingId: existing.id });
  const values = { accountId, shortlistId, athleteId: athlete.id, namedId: athlete.id, ...entryValues({ priority, notes }) };
  return insertResource(transaction, entryResource, values, externalIds, { shortlistId });
}

/** The row values of an entry that an input can set. */
export const entryValues = ({ priority, notes }: Pick<AddShortlistEntryInput, 'priority' | 'notes'>) =>
  rowValues<ShortlistEntryRow>({ priority, notes });

export function createShortlistEntryWrites({ writer }: AreaServices, entries: ShortlistEntryReads) {
  const replay = replaysOf(entries.byId);

  return {
    /** Throws Problem not_found (404), validation_failed (422), conflict (409, with existingId). */
    async add(context: Context, args: MutationAddShortlistEntryArgs): Promise<ShortlistEntryRow> {
      const { shortlistId, input, idempotencyKey } = args;
      const athlete = await visibleAthlete(context, input.athleteId);
      const work = async (transaction: WriteTransaction): Promise<ShortlistEntryRow> => {
        const list = await lockOwned(transaction, shortlistResource, context.viewer, shortlistId);
        return insertEntry(transaction, list, athlete, input);
      };
      return writer.write(context, work, replay(context, 'addShortlistEntry', idempotencyKey, { shortlistId, input }));
    },
    /** Throws Problem not_found (404), precondition_failed (412). */
    update(context: Context, { shortlistId, id, input, ifMatch }: MutationUpdateShortlistEntryArgs): Promise<ShortlistEntryRow> {
      return writer.write(context, async (transaction) => {
        const before = await lockEntry(transaction, context.viewer, shortlistId, id);
        requireVersion(ifMatch, before.version);
        return patchResource(transaction, entryResource, before, entryValues(input), input.externalIds, { shortlistId });
      });
    },
    /** Throws Problem not_found (404), precondition_failed (412). */
    remove(context: Context, { shortlistId, id, ifMatch }: MutationRemoveShortlistEntryArgs): Promise<ShortlistEntryRow> {
      return writer.write(context, async (transaction) => {
        const row = await lockEntry(transaction, context.viewer, shortlistId, id);
        requireVersion(ifMatch, row.version);
        await eraseReports(transaction, [id]);
        await removeRow(transaction, entryResource, row, { shortlistId });
        return row;
      });
    },
    /** Throws Problem not_found (404), invalid_transition (409), and what requireContact throws. */
    async move(context: Context, args: MutationMoveShortlistEntryArgs): Promise<ShortlistEntryRow> {
      const { shortlistId, id, stage, idempotencyKey } = args;
      // Read before the transaction: a transaction must not wait for another area.
      const entry = stage === 'CONTACTED' ? await entries.one(context, shortlistId, id) : null;
      const athlete = await visibleAthlete(context, entry?.athleteId);
      const work = async (transaction: WriteTransaction): Promise<ShortlistEntryRow> => {
        const row = await lockEntry(transaction, context.viewer, shortlistId, id);
        const next = nextState(stageTransitions, stage, row.stage, ['OWNER'], 'shortlist entry');
        if (next === 'CONTACTED') await requireContact(transaction, context.viewer, row, athlete);
        const note = { action: 'move', event: 'shortlist_entry.moved', data: { shortlistId } } as const;
        return changeRow(transaction, entryResource, row, { stage: next }, note);
      };
      return writer.write(context, work, replay(context, 'moveShortlistEntry', idempotencyKey, { shortlistId, id, stage }));
    },
  };
}
