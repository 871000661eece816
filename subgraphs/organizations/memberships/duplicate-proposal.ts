/** Proposals of memberships: one that stands already, or that was agreed to, is not made again. */
import { Problem } from '../../../schema/errors.ts';
import { sql, type Queryable } from '../../../platform/database/database.ts';
import type { MembershipRow } from './reads.ts';

/**
 * Refuses a proposal of what both sides have before them: the same person, place, kind and first day.
 * Of others that stand in the way nothing is said, as the asker may not know of them, and they may end before the answer.
 * Throws Problem conflict (409, with existingId).
 */
export async function rejectDuplicateProposal(transaction: Queryable, proposal: Partial<MembershipRow>): Promise<void> {
  const { status, athleteId, organizationId, teamId, sport, type, startDate } = proposal;
  if (!athleteId || (status !== 'INVITED' && status !== 'REQUESTED')) return;
  const [standing] = await transaction.query<{ id: string; status: string }>(sql`/* membership.proposed */
    select id, status from membership where athlete_id = ${athleteId} and type = ${type ?? null}
      and organization_id is not distinct from ${organizationId ?? null}::uuid and team_id is not distinct from ${teamId ?? null}::uuid
      and sport is not distinct from ${sport ?? null} and start_date is not distinct from ${startDate ?? null}::date
      and (status in ('INVITED', 'REQUESTED', 'ACTIVE', 'ON_LOAN') or status = 'ENDED' and type = 'PERMANENT') limit 1`);
  if (!standing) return;
  throw new Problem('conflict', `This membership is there already, and ${standing.status}: see existingId.`, {
    existingId: standing.id,
  });
}
