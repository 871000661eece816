/** Automatic transitions of replays: the end of their rights, and the review of minors. */
import { sql, type Database, type Queryable } from '../../../platform/database/database.ts';
import { changeRow } from '../../../platform/writes/resource.ts';
import type { Writer, WriteTransaction } from '../../../platform/writes/write.ts';
import type { AthletesById } from '../../clients/athlete-facts.ts';
import { statusAt } from './rules.ts';
import type { ReplayStatus } from '../generated/resolvers.ts';
import { replayResource, replays, type ReplayRow } from './rows.ts';

/** Number of replays that one transaction expires. */
const batchSize = 500;

/** Whether a replay shows a minor that no moderator has reviewed. Unknown athletes count as minors. */
export function showsMinor(row: Pick<ReplayRow, 'athleteIds' | 'reviewedAthleteIds'>, athletes: AthletesById): boolean {
  return row.athleteIds.some((id) => !row.reviewedAthleteIds.includes(id) && athletes.get(id)?.minor !== false);
}

/** Ids that every event of a replay contains. */
export function replayEventData({ matchId, seasonId }: Pick<ReplayRow, 'matchId' | 'seasonId'>): Record<string, string> {
  return { ...(matchId ? { matchId } : {}), ...(seasonId ? { seasonId } : {}) };
}

/** Changes the status of a locked replay. The replay is not public unless `values` says so. */
export function changeStatus(
  transaction: WriteTransaction,
  row: ReplayRow,
  action: string,
  values: Partial<ReplayRow> & { readonly status: ReplayStatus },
  data: Readonly<Record<string, unknown>> = {},
): Promise<ReplayRow> {
  const note = { action, event: 'replay.status_changed', data: { ...replayEventData(row), ...data } } as const;
  return changeRow(transaction, replayResource, row, { published: false, ...values }, note);
}

/** Stores the status EXPIRED for a locked replay whose rights have ended. */
export function expireIfDue(transaction: WriteTransaction, row: ReplayRow): Promise<ReplayRow> {
  const isDue = row.status !== 'EXPIRED' && statusAt(row) === 'EXPIRED';
  return isDue ? changeStatus(transaction, row, 'expire', { status: 'EXPIRED' }) : Promise.resolve(row);
}

/** Moves a locked public replay to review where one of the given athletes is a minor. */
export function reviewIfMinor(
  transaction: WriteTransaction,
  row: ReplayRow,
  athletes: AthletesById,
  athleteIds = row.athleteIds,
): Promise<ReplayRow> {
  const needsReview = row.status === 'PUBLISHED' && showsMinor({ ...row, athleteIds }, athletes);
  return needsReview ? changeStatus(transaction, row, 'review', { status: 'REVIEW' }) : Promise.resolve(row);
}

/** Expires replays whose rights have ended. Returns whether there may be more. */
export async function expireReplays(database: Database, writer: Writer): Promise<boolean> {
  return database.transaction(async (transaction) => {
    const rows = await transaction.query<ReplayRow>(sql`/* replays.lockExpired */ select ${replays.columns} from replay
      where expires_at <= now() and status in ('PUBLISHED', 'REVIEW') order by expires_at limit ${batchSize} for update`);
    await writer.writeWithin(transaction, async (work) => {
      for (const row of rows) await expireIfDue(work, row);
    });
    return rows.length === batchSize;
  });
}

/** Moves public replays of an athlete to review when the athlete turns out to be a minor. */
export async function reviewMinors(transaction: Queryable, writer: Writer, athletes: AthletesById): Promise<void> {
  const minors = [...athletes.values()].filter(({ minor }) => minor).map(({ id }) => id);
  if (minors.length === 0) return;
  const rows = await transaction.query<ReplayRow>(sql`/* replays.lockOfMinors */ select ${replays.columns} from replay
    where status = 'PUBLISHED' and athlete_ids && ${minors}::uuid[] order by id for update`);
  const unreviewed = rows.filter((row) =>
    minors.some((id) => row.athleteIds.includes(id) && !row.reviewedAthleteIds.includes(id)),
  );
  await writer.writeWithin(transaction, async (work) => {
    for (const row of unreviewed) await changeStatus(work, row, 'review', { status: 'REVIEW' });
  });
}
