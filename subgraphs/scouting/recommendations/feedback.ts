/** What accounts think of what they were recommended: private to them, and gone with the athlete. */
import { sql, type Queryable } from '../../../platform/database/database.ts';
import { Problem } from '../../../schema/errors.ts';
import { requireAccount } from '../../../platform/writes/resource.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import type { AreaServices, BatchRead, Context } from '../../runtime/subgraph.ts';
import type { MutationGiveRecommendationFeedbackArgs, RecommendationFeedback } from '../resolvers.generated.ts';
import { subjectTypeOf, type RecommendationKey } from './recommendation-id.ts';

interface FeedbackRow {
  readonly id: string;
  readonly feedback: RecommendationFeedback;
}

export interface FeedbackCount {
  readonly feedback: RecommendationFeedback;
  readonly count: number;
}

/** Leaves nothing of what was said for or about athletes. */
export async function deleteFeedback(transaction: Queryable, athleteIds: readonly string[]): Promise<void> {
  await transaction.query(sql`/* recommendationFeedback.forget */
    delete from recommendation_feedback where subject_id = any(${[...athleteIds]}::uuid[]) or recipient_id = any(${[...athleteIds]}::uuid[])`);
}

/** What was said of a second profile is of the first one; what was said of both stays as it was said of the first. */
export async function mergeFeedback(transaction: Queryable, id: string, intoId: string): Promise<void> {
  await transaction.query(sql`/* recommendationFeedback.dropDoubled */
    delete from recommendation_feedback second using recommendation_feedback first where first.account_id = second.account_id
      and ((second.subject_id = ${id} and first.subject_id = ${intoId} and first.recipient_id = second.recipient_id)
        or (second.recipient_id = ${id} and first.recipient_id = ${intoId} and first.subject_id = second.subject_id))`);
  await transaction.query(sql`/* recommendationFeedback.moveMerged */
    update recommendation_feedback set subject_id = case when subject_id = ${id} then ${intoId}::uuid else subject_id end,
      recipient_id = case when recipient_id = ${id} then ${intoId}::uuid else recipient_id end
    where subject_id = ${id} or recipient_id = ${id}`);
}

/** Feedback over the area's database. */
export function createFeedbackStore({ database, writer }: AreaServices) {
  /** What the viewer's account said of subjects for a recipient; nothing without a key. */
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

  /** How often something was said for or about athletes, whoever said it: for the export, whose reader owns the athlete. */
  const counts: BatchRead<string, FeedbackCount[]> = async (athleteIds) => {
    const rows = await database.query<FeedbackCount & { id: string }>(sql`/* recommendationFeedback.counts */
      select a.id, f.feedback, count(*) as count from unnest(${[...athleteIds]}::uuid[]) as a(id)
        join recommendation_feedback f on f.subject_id = a.id or f.recipient_id = a.id group by a.id, f.feedback order by f.feedback`);
    return athleteIds.map((athleteId) =>
      rows.filter(({ id }) => id === athleteId).map(({ feedback, count }) => ({ feedback, count })),
    );
  };

  /** The last word for a recipient and a subject counts. Throws Problem api_key_missing (401). */
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
      if (!row) throw new Problem('internal', 'Feedback was not written.');
      return row;
    };
    const reload = async (rowId: string): Promise<FeedbackRow | null> => {
      const [row] = await database.query<FeedbackRow>(sql`/* recommendationFeedback.byId */
        select id, feedback from recommendation_feedback where id = ${rowId} and account_id = ${accountId}`);
      return row ?? null;
    };
    return writer.write(context, work, {
      operation: 'giveRecommendationFeedback',
      key: idempotencyKey,
      input: { id, feedback },
      reload,
    });
  }

  return { given, counts, give };
}

export type FeedbackStore = ReturnType<typeof createFeedbackStore>;
