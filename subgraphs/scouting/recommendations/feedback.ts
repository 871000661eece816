/** Feedback on recommendations. It is private to an account and is deleted with the athlete. */
import { sql, type Queryable } from '../../../platform/database/database.ts';
import { requireAccount } from '../../../platform/writes/resource.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { Problem } from '../../../schema/errors.ts';
import type { AreaServices, BatchRead, Context } from '../../runtime/subgraph.ts';
import type { MutationGiveRecommendationFeedbackArgs, RecommendationFeedback } from '../generated/resolvers.ts';
import { subjectTypeOf, type RecommendationKey } from './recommendation-id.ts';

interface FeedbackRow {
  readonly id: string;
  readonly feedback: RecommendationFeedback;
}

export interface FeedbackCount {
  readonly feedback: RecommendationFeedback;
  readonly count: number;
}

/** Deletes all feedback on recommendations of athletes or for athletes. */
export async function deleteFeedback(transaction: Queryable, athleteIds: readonly string[]): Promise<void> {
  await transaction.query(sql`/* recommendationFeedback.delete */
    delete from recommendation_feedback where subject_id = any(${[...athleteIds]}::uuid[]) or recipient_id = any(${[...athleteIds]}::uuid[])`);
}

/** Moves the feedback of a merged athlete to the profile that remains. If both have feedback, that of the remaining profile stays. */
export async function mergeFeedback(transaction: Queryable, id: string, intoId: string): Promise<void> {
  await transaction.query(sql`/* recommendationFeedback.deleteDuplicates */
    delete from recommendation_feedback second using recommendation_feedback first where first.account_id = second.account_id
      and ((second.subject_id = ${id} and first.subject_id = ${intoId} and first.recipient_id = second.recipient_id)
        or (second.recipient_id = ${id} and first.recipient_id = ${intoId} and first.subject_id = second.subject_id))`);
  await transaction.query(sql`/* recommendationFeedback.moveMerged */
    update recommendation_feedback set subject_id = case when subject_id = ${id} then ${intoId}::uuid else subject_id end,
      recipient_id = case when recipient_id = ${id} then ${intoId}::uuid else recipient_id end
    where subject_id = ${id} or recipient_id = ${id}`);
}

export function createFeedbackStore({ database, writer }: AreaServices) {
  /** The feedback of the viewer's account by subject, for one recipient. Empty without a key. */
  async function given(
    { viewer }: Pick<Context, 'viewer'>,
    recipientId: string,
    subjectIds: readonly string[],
  ): Promise<ReadonlyMap<string, RecommendationFeedback>> {
    if (viewer.accountId === null || subjectIds.length === 0) return new Map();
    const rows = await database.query<FeedbackRow>(sql`/* recommendationFeedback.given */
      select subject_id as id, feedback from recommendation_feedback
      where account_id = ${viewer.accountId} and recipient_id = ${recipientId} and subject_id = any(${[...subjectIds]}::uuid[])`);
    return new Map(rows.map(({ id, feedback }) => [id, feedback]));
  }

  /** The amount of feedback on each athlete by all accounts, for the export. The export checks that the viewer owns the athlete. */
  const counts: BatchRead<string, FeedbackCount[]> = async (athleteIds) => {
    const rows = await database.query<FeedbackCount & { id: string }>(sql`/* recommendationFeedback.counts */
      select a.id, f.feedback, count(*) as count from unnest(${[...athleteIds]}::uuid[]) as a(id)
        join recommendation_feedback f on f.subject_id = a.id or f.recipient_id = a.id group by a.id, f.feedback order by f.feedback`);
    return athleteIds.map((athleteId) =>
      rows.filter(({ id }) => id === athleteId).map(({ feedback, count }) => ({ feedback, count })),
    );
  };

  /** Stores feedback and replaces earlier feedback on the same recipient and subject. Throws Problem api_key_missing (401). */
  function give(
    context: Context,
    key: RecommendationKey,
    { id, feedback, idempotencyKey }: MutationGiveRecommendationFeedbackArgs,
  ): Promise<FeedbackRow> {
    const accountId = requireAccount(context.viewer);
    const { recipientType, recipientId, subjectId } = key;
    const work = async (transaction: WriteTransaction): Promise<FeedbackRow> => {
      const [row] = await transaction.query<FeedbackRow>(sql`/* recommendationFeedback.give */
        insert into recommendation_feedback (account_id, recipient_type, recipient_id, subject_type, subject_id, feedback)
        values (${accountId}, ${recipientType}, ${recipientId}, ${subjectTypeOf(recipientType)}, ${subjectId}, ${feedback})
        on conflict on constraint recommendation_feedback_once do update set feedback = excluded.feedback, given_at = now()
        returning id, feedback`);
      if (!row) throw new Problem('internal', 'The feedback was not stored.');
      return row;
    };
    const reload = async (rowId: string): Promise<FeedbackRow | null> => {
      const [row] = await database.query<FeedbackRow>(sql`/* recommendationFeedback.byId */
        select id, feedback from recommendation_feedback where id = ${rowId} and account_id = ${accountId}`);
      return row ?? null;
    };
    const operation = 'giveRecommendationFeedback';
    return writer.write(context, work, { operation, key: idempotencyKey, input: { id, feedback }, reload });
  }

  return { given, counts, give };
}

export type FeedbackStore = ReturnType<typeof createFeedbackStore>;
