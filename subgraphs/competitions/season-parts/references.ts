/** References of a part to participants of its season. */
import { sql } from '../../../platform/database/database.ts';
import type { Violation } from '../../../schema/errors.ts';
import type { PartWrite } from './writes.ts';

export const unknownParticipantViolation = (pointer: string): Violation => ({
  pointer,
  code: 'unknown_participant',
  detail: 'The season has no participant with this ID.',
});

/** Those of the IDs that are participants of the season. They are locked against deletion until the commit. */
export async function lockParticipants(
  { transaction, season }: PartWrite<null>,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await transaction.query<{ id: string }>(sql`/* participants.ofSeason */ select id from participant
    where season_id = ${season.id} and id = any(${[...ids]}::uuid[]) order by id for key share`);
  return new Set(rows.map(({ id }) => id));
}
