/** What the platform does with replays by itself: rights end, and minors are reviewed. */
import { sql, type Database, type Queryable } from '../../../platform/database/database.ts';
import { changeRow } from '../../../platform/writes/resource.ts';
import type { Writer, WriteTransaction } from '../../../platform/writes/write.ts';
import type { AthletesById } from '../../clients/athlete-facts.ts';
import { statusAt } from './rules.ts';
import type { ReplayStatus } from '../resolvers.generated.ts';
import { replayResource, replays, type ReplayRow } from './rows.ts';

/** How many replays are read and written at once. */
const portion = 500;

/** Whether a minor is seen whom no moderator has looked at; who is not known is of unknown age. */
export function showsMinor(row: Pick<ReplayRow, 'athleteIds' | 'reviewedAthleteIds'>, athletes: AthletesById): boolean {
  return row.athleteIds.some((id) => !row.reviewedAthleteIds.includes(id) && athletes.get(id)?.minor !== false);
}

/** Ids that consumers of a replay's events may need. */
export function about({ matchId, seasonId }: Pick<ReplayRow, 'matchId' | 'seasonId'>): Record<string, string> {
  return { ...(matchId ? { matchId } : {}), ...(seasonId ? { seasonId } : {}) };
}

/** Takes a locked replay to another state, with the values that come with it. */
export function move(
  transaction: WriteTransaction,
  row: ReplayRow,
  action: string,
  values: Partial<ReplayRow> & { readonly status: ReplayStatus },
  data: Readonly<Record<string, unknown>> = {},
): Promise<ReplayRow> {
  const moved = { action, event: 'replay.status_changed', data: { ...about(row), ...data } } as const;
  return changeRow(transaction, replayResource, row, { published: false, ...values }, moved);
}

/** Writes down that the rights of a locked replay are over, where they are. */
export function expireIfOver(transaction: WriteTransaction, row: ReplayRow): Promise<ReplayRow> {
  const over = row.status !== 'EXPIRED' && statusAt(row) === 'EXPIRED';
  return over ? move(transaction, row, 'expire', { status: 'EXPIRED' }) : Promise.resolve(row);
}

/** Takes a locked replay that is public to review, where one of the athletes who are seen in it is a minor. */
export function reviewIfMinor(
  transaction: WriteTransaction,
  row: ReplayRow,
  athletes: AthletesById,
  athleteIds = row.athleteIds,
): Promise<ReplayRow> {
  const waits = row.status === 'PUBLISHED' && showsMinor({ ...row, athleteIds }, athletes);
  return waits ? move(transaction, row, 'review', { status: 'REVIEW' }) : Promise.resolve(row);
}

/** Writes down which rights are over. Returns whether there are more. */
export async function expireReplays(database: Database, writer: Writer): Promise<boolean> {
  return database.transaction(async (transaction) => {
    const rows = await transaction.query<ReplayRow>(sql`/* replays.lockExpired */ select ${replays.columns} from replay
      where expires_at <= now() and status in ('PUBLISHED', 'REVIEW') order by expires_at limit ${portion} for update`);
    await writer.writeWithin(transaction, async (work) => {
      for (const row of rows) await expireIfOver(work, row);
    });
    return rows.length === portion;
  });
}

/** Takes public replays to review in which athletes are seen who are minors by now. */
export async function reviewMinors(transaction: Queryable, writer: Writer, athletes: AthletesById): Promise<void> {
  const minors = [...athletes.values()].filter(({ minor }) => minor).map(({ id }) => id);
  if (minors.length === 0) return;
  const rows = await transaction.query<ReplayRow>(sql`/* replays.lockOfMinors */ select ${replays.columns} from replay
    where status = 'PUBLISHED' and athlete_ids && ${minors}::uuid[] order by id for update`);
  const unseen = rows.filter((row) => minors.some((id) => row.athleteIds.includes(id) && !row.reviewedAthleteIds.includes(id)));
  await writer.writeWithin(transaction, async (work) => {
    for (const row of unseen) await move(work, row, 'review', { status: 'REVIEW' });
  });
}
