/** Entries of shortlists and their reports: their writes. Who is on a list was seen by the account when it was put there. */
import { Problem, validationProblem, rejectInvalid } from '../../../schema/errors.ts';
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
import { replaysOf, type AreaServices, type Context } from '../../runtime/subgraph.ts';
import type {
  AddShortlistEntryInput,
  MutationAddScoutingReportArgs,
  MutationAddShortlistEntryArgs,
  MutationMoveShortlistEntryArgs,
  MutationRemoveShortlistEntryArgs,
  MutationUpdateShortlistEntryArgs,
} from '../resolvers.generated.ts';
import { stageTransitions } from './rules.ts';
import { hasContact } from '../contact-requests/reads.ts';
import { reportResource, type ScoutingReportRow, type ScoutingReportReads } from '../scouting-reports/reads.ts';
import { entryResource, type ShortlistEntryRow, type ShortlistEntryReads } from './reads.ts';
import { eraseReports } from '../shortlists/writes.ts';
import { shortlistResource, type ShortlistRow } from '../shortlists/reads.ts';

async function lockEntry(
  transaction: WriteTransaction,
  viewer: Viewer,
  shortlistId: string,
  id: string,
): Promise<ShortlistEntryRow> {
  const row = await lockOwned(transaction, entryResource, viewer, id);
  if (row.shortlistId !== shortlistId) throw resourceNotFound('shortlist_entry', id);
  return row;
}

/** Nothing more is gathered about somebody whom the account may not see any more. */
const notSeen = (): Problem =>
  new Problem('conflict', 'The athlete of this entry is not shown to your account any more: priority, notes and stage are.');

/** Throws Problem conflict (409) for who is hidden, consent_required (409) for a minor, invalid_transition (409) where nobody was asked. */
async function requireContact(
  transaction: WriteTransaction,
  viewer: Viewer,
  row: ShortlistEntryRow,
  athlete: VisibleAthlete | undefined,
): Promise<void> {
  if (athlete?.id !== row.athleteId) throw notSeen();
  // nobody asks for contact with the athletes of the own account
  if (owns(viewer, athlete.accountId)) return;
  requireContactConsent(athlete);
  if (await hasContact(transaction, row.accountId, row.athleteId)) return;
  const allowed = allowedTransitions(stageTransitions, row.stage, ['OWNER']).filter((stage) => stage !== 'CONTACTED');
  const detail = 'CONTACTED needs a contact request to the owner of the athlete that waits or is accepted.';
  throw new Problem('invalid_transition', detail, { state: row.stage, allowedTransitions: allowed });
}

/** Puts an athlete on a locked list. Throws Problem validation_failed (422) for who is not seen, conflict (409, with existingId) for who is on it. */
export async function insertEntry(
  transaction: WriteTransaction,
  list: Pick<ShortlistRow, 'id' | 'accountId'>,
  athlete: VisibleAthlete | undefined,
  { priority, notes, externalIds }: AddShortlistEntryInput,
): Promise<ShortlistEntryRow> {
  if (!athlete) throw validationProblem([unknownAthleteViolation('/athleteId')]);
  const { id: shortlistId, accountId } = list;
  const [there] = await transaction.query<{ id: string }>(sql`/* shortlistEntries.ofAthlete */
    select id from shortlist_entry where shortlist_id = ${shortlistId} and athlete_id = ${athlete.id}`);
  if (there) throw new Problem('conflict', 'The athlete is on this shortlist already.', { existingId: there.id });
  const values = { accountId, shortlistId, athleteId: athlete.id, namedId: athlete.id, notes: notes ?? null };
  return insertResource(transaction, entryResource, priority ? { ...values, priority } : values, externalIds, { shortlistId });
}

/** The last day that has begun anywhere. */
const lastDay = (): string => new Date(Date.now() + 14 * 3_600_000).toISOString().slice(0, 10);

const seenMatch = /* GraphQL */ `
  query scoutedMatch($id: ID!) {
    match(id: $id) {
      id
    }
  }
`;

async function seesMatch({ graph }: Context, id: string | null | undefined): Promise<boolean> {
  return !id || (await graph(seenMatch, { id }))['match'] !== null;
}

/** Writes of entries and reports over the area's database. */
export function createShortlistEntryWrites({ writer }: AreaServices, entries: ShortlistEntryReads, reports: ScoutingReportReads) {
  const reloading = replaysOf(entries.byId);
  const reloadingReport = replaysOf(reports.byId);

  return {
    /** Throws Problem not_found (404), validation_failed (422), and conflict (409, with existingId) for who is on the list already. */
    async add(context: Context, args: MutationAddShortlistEntryArgs): Promise<ShortlistEntryRow> {
      const { shortlistId, input, idempotencyKey } = args;
      const athlete = await visibleAthlete(context, input.athleteId);
      const work = async (transaction: WriteTransaction): Promise<ShortlistEntryRow> => {
        const list = await lockOwned(transaction, shortlistResource, context.viewer, shortlistId);
        return insertEntry(transaction, list, athlete, input);
      };
      return writer.write(context, work, reloading(context, 'addShortlistEntry', idempotencyKey, { shortlistId, input }));
    },
    /** Throws Problem not_found (404), precondition_failed (412). */
    update(context: Context, { shortlistId, id, input, ifMatch }: MutationUpdateShortlistEntryArgs): Promise<ShortlistEntryRow> {
      return writer.write(context, async (transaction) => {
        const before = await lockEntry(transaction, context.viewer, shortlistId, id);
        requireVersion(ifMatch, before.version);
        const { externalIds, ...values } = input;
        const patch = values as Partial<ShortlistEntryRow>;
        return patchResource(transaction, entryResource, before, patch, externalIds, { shortlistId });
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
      // asked before the transaction, so that no connection waits for another area
      const entry = stage === 'CONTACTED' ? await entries.one(context, shortlistId, id) : null;
      const athlete = await visibleAthlete(context, entry?.athleteId);
      const work = async (transaction: WriteTransaction): Promise<ShortlistEntryRow> => {
        const row = await lockEntry(transaction, context.viewer, shortlistId, id);
        const next = nextState(stageTransitions, stage, row.stage, ['OWNER']);
        if (next === 'CONTACTED') await requireContact(transaction, context.viewer, row, athlete);
        const moved = { action: 'move', event: 'shortlist_entry.moved', data: { shortlistId } } as const;
        return changeRow(transaction, entryResource, row, { stage: next }, moved);
      };
      return writer.write(context, work, reloading(context, 'moveShortlistEntry', idempotencyKey, { shortlistId, id, stage }));
    },
    /** Throws Problem not_found (404), validation_failed (422), and conflict (409) for who is hidden. */
    async report(context: Context, args: MutationAddScoutingReportArgs): Promise<ScoutingReportRow> {
      const { shortlistId, entryId, input, idempotencyKey } = args;
      const entry = await entries.one(context, shortlistId, entryId);
      const [athlete, matchIsSeen] = await Promise.all([
        visibleAthlete(context, entry?.athleteId),
        seesMatch(context, entry && input.matchId),
      ]);
      const work = async (transaction: WriteTransaction): Promise<ScoutingReportRow> => {
        const row = await lockEntry(transaction, context.viewer, shortlistId, entryId);
        if (athlete?.id !== row.athleteId) throw notSeen();
        const { date, matchId, ratings, recommendation } = input;
        rejectInvalid([
          date > lastDay() && { pointer: '/date', code: 'in_future', detail: 'A report is about a day that has begun.' },
          !matchIsSeen && { pointer: '/matchId', code: 'unknown_match', detail: 'There is no match with this id.' },
        ]);
        const values = { accountId: row.accountId, entryId, date, matchId: matchId ?? null, ratings, recommendation };
        return insertResource(transaction, reportResource, values, null, { shortlistId, entryId });
      };
      return writer.write(
        context,
        work,
        reloadingReport(context, 'addScoutingReport', idempotencyKey, { shortlistId, entryId, input }),
      );
    },
  };
}
