/** Rejects proposals of memberships that are already proposed or agreed to. */
import { Problem } from '../../../schema/errors.ts';
import { sql, type Queryable } from '../../../platform/database/database.ts';
import type { NewMembershipValues } from './parties.ts';

/**
 * Rejects a proposal when both parties already have a membership with the same athlete, organization, team, type and start date. Other
 * conflicting memberships are not reported: the caller may not be able to read them, and they can end before the response.
 * Throws Problem conflict (409, with existingId).
 */
export async function rejectDuplicateProposal(transaction: Queryable, proposal: NewMembershipValues): Promise<void> {
  const { status, athleteId, organizationId, teamId, sport, type, startDate } = proposal;
  if (!athleteId || (status !== 'INVITED' && status !== 'REQUESTED')) return;
  const [existing] = await transaction.query<{ id: string; status: string }>(sql`/* membership.proposed */
    select id, status from membership where athlete_id = ${athleteId} and type = ${type}
      and organization_id is not distinct from ${organizationId ?? null}::uuid and team_id is not distinct from ${teamId ?? null}::uuid
      and sport is not distinct from ${sport ?? null} and start_date is not distinct from ${startDate ?? null}::date
      and (status in ('INVITED', 'REQUESTED', 'ACTIVE', 'ON_LOAN') or status = 'ENDED' and type = 'PERMANENT') limit 1`);
  if (!existing) return;
  throw new Problem('conflict', `This membership already exists with the status ${existing.status}. Its id is in existingId.`, {
    existingId: existing.id,
  });
}
