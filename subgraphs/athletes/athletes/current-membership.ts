/** The current membership of athletes: a permanent one before others, then the latest. */
import type { Viewer } from '../../../schema/viewer.ts';
import { sql, type Queryable, type Sql } from '../../../platform/database/database.ts';
import { inOrder } from '../../../platform/database/table.ts';
import { isOrganizationVisible } from './visible-rows.ts';

/** The organization and the team of a membership. */
export interface CurrentMembership {
  readonly organizationId: string | null;
  readonly teamId: string | null;
}

/** Conditions on `membership m`: in force today. */
export const isInForce = sql`m.status in ('ACTIVE', 'ON_LOAN') and (m.start_date is null or m.start_date <= current_date)
  and (m.end_date is null or m.end_date >= current_date)`;

/** Conditions on `membership m`: in force, and of an organization that the viewer can read. */
export const isCurrentAndVisible = (viewer: Viewer): Sql =>
  sql`${isInForce} and (m.organization_id is null or ${isOrganizationVisible(viewer, sql`m.organization_id`)})`;

/** The order of an athlete's memberships, of which the first counts. */
export const currentFirst = sql`m.type <> 'PERMANENT', m.organization_id is null, m.start_date desc nulls last, m.id`;

/** The current memberships of athletes, in the order of their ids. Null for an athlete without one. */
export async function currentMembershipsOf(
  database: Queryable,
  viewer: Viewer,
  ids: readonly string[],
): Promise<(CurrentMembership | null)[]> {
  const rows = await database.query<CurrentMembership & { athleteId: string }>(sql`/* athletes.currentMemberships */
    select distinct on (m.athlete_id) m.athlete_id as "athleteId", m.organization_id as "organizationId", m.team_id as "teamId"
    from membership m where m.athlete_id = any(${[...ids]}::uuid[]) and ${isCurrentAndVisible(viewer)}
    order by m.athlete_id, ${currentFirst}`);
  return inOrder(ids, rows, (row) => row.athleteId);
}
