/** Which ties a change of a match decides again. The other matches of a tie and byes may decide who advances. */
import { sql, type Queryable } from '../../../platform/database/database.ts';
import type { MatchParticipantRow } from '../match-participants/rows.ts';
import type { Settlement } from '../results/settlement.ts';
import type { MatchRow } from './rows.ts';

/**
 * Decides a tie again without a match that leaves it, is cancelled, or is about to be deleted. The participants of the match lose the places
 * that they took because of it.
 */
export async function leaveTie(transaction: Queryable, settlement: Settlement, match: MatchRow): Promise<void> {
  const [left] = await transaction.query<{ otherId: string | null; former: string[] }>(sql`/* matches.leftOfTie */ select
    (select id from match where stage_id = ${match.stageId} and tie_id = ${match.tieId} and id <> ${match.id} limit 1) as "otherId",
    array(select participant_id from match_participant where match_id = ${match.id} and participant_id is not null) as former`);
  if (left) settlement.decide(left.otherId ?? match.id, left.former);
}

/** Recomputes rankings before and after a change of a match, and decides its ties again where its tie or leg changed. */
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

/** What decides who advances from a match that is not played. */
type Side = Pick<MatchParticipantRow, 'participantId' | 'bye'>;

/** Decides who advances by a bye after the sides of a match changed. */
export function decideByes(settlement: Settlement, matchId: string, before: readonly Side[], after: readonly Side[]): void {
  if (![...before, ...after].some(({ bye }) => bye)) return;
  const still = new Set(after.map(({ participantId }) => participantId));
  settlement.decide(
    matchId,
    before.flatMap(({ participantId }) => (participantId !== null && !still.has(participantId) ? [participantId] : [])),
  );
}

/** Whether a participant is in a match or in another match of its tie: then a placeholder for that match was filled with it. */
export async function takesPartIn(transaction: Queryable, matchId: string, participantId: string): Promise<boolean> {
  const [found] = await transaction.query(sql`/* matches.takesPartIn */ select from match m
    join match other on other.id = m.id or (other.stage_id = m.stage_id and other.tie_id = m.tie_id)
    join match_participant p on p.match_id = other.id and p.participant_id = ${participantId}
    where m.id = ${matchId} limit 1`);
  return found !== undefined;
}
