/** The SQL condition that excludes subjects by feedback. */
import { empty, sql, type Sql } from '../../../platform/database/database.ts';
import type { RankingOptions } from '../recommending/ranking.ts';

/** ` and …`: the subject is neither NOT_RELEVANT for the recipient nor HIDDEN for the account. Empty without an account. */
export function notDismissed(scope: RankingOptions['feedbackScope'], subjectId: Sql): Sql {
  if (scope === undefined) return empty;
  return sql` and not exists (select from recommendation_feedback f where f.account_id = ${scope.accountId} and f.subject_id = ${subjectId}
    and (f.feedback = 'HIDDEN' or (f.feedback = 'NOT_RELEVANT' and f.recipient_id = ${scope.recipientId})))`;
}
