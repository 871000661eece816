/** Which ties a change of a match decides again: who goes on may hang on its other matches, and on its byes. */
import { sql, type Queryable } from '../../../platform/database/database.ts';
import type { MatchParticipantRow, MatchRow } from './rows.ts';
import type { Settlement } from '../results/settlement.ts';

/**
 * A match that leaves its tie, is called off, or is about to be deleted: who goes on is decided by what is left, in the places of whoever
 * did by this one.
 */
export async function leaveTie(transaction: Queryable, settlement: Settlement, match: MatchRow): Promise<void> {
  const [left] = await transaction.query<{ otherId: string | null; former: string[] }>(sql`/* matches.leftOfTie */ select
    (select id from match where stage_id = ${match.stageId} and tie_id = ${match.tieId} and id <> ${match.id} limit 1) as "otherId",
    array(select participant_id from match_participant where match_id = ${match.id} and participant_id is not null) as former`);
  if (left) settlement.decide(left.otherId ?? match.id, left.former);
}

/** A match whose facts changed counts where it did, and where it does now; who goes on may be decided by its tie. */
export async function touchBoth(
  transaction: Queryable,
  settlement: Settlement,
  before: MatchRow,
  after: MatchRow,
): Promise<void> {
  if (before.version === after.version) return;
  settlement.touch(before);
  settlement.touch(after);
  if (before.tieId === after.tieId && before.leg === after.leg) return;
  settlement.decide(after.id);
  if (before.tieId !== after.tieId) await leaveTie(transaction, settlement, before);
}

/** What of a place says who goes on from a match without being played. */
type Side = Pick<MatchParticipantRow, 'participantId' | 'bye'>;

/** Where a bye is, or was, in a match, another side of it goes on in the place of who did before. */
export function decideByes(settlement: Settlement, matchId: string, before: readonly Side[], after: readonly Side[]): void {
  if (![...before, ...after].some(({ bye }) => bye)) return;
  const still = new Set(after.map(({ participantId }) => participantId));
  settlement.decide(
    matchId,
    before.flatMap(({ participantId }) => (participantId !== null && !still.has(participantId) ? [participantId] : [])),
  );
}

/** Whether somebody takes part in a match, or in another one of its tie: who waits for it was found by that. */
export async function takesPartIn(transaction: Queryable, matchId: string, participantId: string): Promise<boolean> {
  const [found] = await transaction.query(sql`/* matches.takesPartIn */ select from match m
    join match other on other.id = m.id or (other.stage_id = m.stage_id and other.tie_id = m.tie_id)
    join match_participant p on p.match_id = other.id and p.participant_id = ${participantId}
    where m.id = ${matchId} limit 1`);
  return found !== undefined;
}
