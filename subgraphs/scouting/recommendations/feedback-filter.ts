/** Which subjects an account has had enough of: the condition that keeps them out of its recommendations. */
import { empty, sql, type Sql } from '../../../platform/database/database.ts';
import type { RankingOptions } from '../recommending/ranking.ts';

/** ` and …`: not what is not relevant for this recipient, nor what is hidden from the account; empty without an account. */
export function notDismissed(asked: RankingOptions['feedbackScope'], subjectId: Sql): Sql {
  if (asked === undefined) return empty;
  return sql` and not exists (select from recommendation_feedback f where f.account_id = ${asked.accountId} and f.subject_id = ${subjectId}
    and (f.feedback = 'HIDDEN' or (f.feedback = 'NOT_RELEVANT' and f.recipient_id = ${asked.recipientId})))`;
}
