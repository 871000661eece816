/** SQL conditions of opportunity lists: visibility and the filter. */
import { hasFullAccess, type Viewer } from '../../../schema/viewer.ts';
import { sql, type Sql } from '../../../platform/database/database.ts';
import { oneOf } from '../../../platform/database/one-of.ts';
import { isNear, nearOf } from '../../../platform/lists/near.ts';
import { matchesWords } from '../../../platform/lists/search.ts';
import { requireAccount } from '../../../platform/writes/resource.ts';
import type { OpportunityFilter, OpportunityStatus } from '../generated/resolvers.ts';
import { positionsMatching } from './rules.ts';

/** The opportunity accepts applications. The first condition alone selects the index. */
export const isOpen = sql`opportunity.status = 'PUBLISHED' and opportunity.organization_public and opportunity.application_deadline > now()`;

/** Where the opportunity takes place, as a point (longitude, latitude). */
export const position = sql`opportunity.position`;

/** `statusAt` of lifecycle.ts in SQL. */
const currentStatus = sql`case when opportunity.status in ('PUBLISHED', 'PAUSED') and opportunity.application_deadline <= now()
  then 'CLOSED' else opportunity.status end`;

/** The current status is one of these. The stored status is compared too, because only it is indexed. */
function hasStatus(statuses: readonly OpportunityStatus[]): Sql {
  const stored = statuses.includes('CLOSED') ? [...new Set([...statuses, 'PUBLISHED', 'PAUSED'])] : [...statuses];
  return sql`opportunity.status = any(${stored}) and ${currentStatus} = any(${[...statuses]})`;
}

function visibleTo(viewer: Viewer, { mine, status, externalId, updatedSince }: OpportunityFilter): Sql[] {
  const statuses = status ? [hasStatus(status)] : [];
  if (mine) return [sql`opportunity.account_id = ${requireAccount(viewer)}`, ...statuses];
  if (hasFullAccess(viewer)) return statuses;
  // Synchronization and lookups by external id need later statuses too.
  if (!status && !externalId && !updatedSince) return [isOpen];
  return [sql`opportunity.status <> 'DRAFT' and opportunity.organization_public`, ...statuses];
}

/** The conditions of a filter on the opportunities that are visible to the viewer. */
export function opportunityConditions(viewer: Viewer, filter: OpportunityFilter): Sql[] {
  const where = visibleTo(viewer, filter);
  if (viewer.sport) where.push(sql`opportunity.sport = ${viewer.sport}`);
  if (filter.q) where.push(matchesWords(sql`opportunity.search`, filter.q));
  if (filter.type) where.push(sql`opportunity.type = any(${filter.type})`);
  if (filter.sport) where.push(sql`opportunity.sport = any(${filter.sport})`);
  if (filter.country) where.push(sql`opportunity.country = any(${filter.country})`);
  if (filter.city) where.push(sql`platform.fold(opportunity.city) = platform.fold(${filter.city})`);
  const near = nearOf(filter);
  if (near) where.push(isNear(position, near));
  if (filter.deadlineAfter) where.push(sql`opportunity.application_deadline >= ${filter.deadlineAfter}::timestamptz`);
  if (filter.organizationId) where.push(oneOf(sql`opportunity.organization_id`, filter.organizationId));
  return [...where, ...eligibilityConditions(viewer, filter)];
}

/** Conditions on the athletes that an opportunity is for. An opportunity without a restriction matches every value. */
function eligibilityConditions(viewer: Viewer, filter: OpportunityFilter): Sql[] {
  const where: Sql[] = [];
  if (filter.position) {
    const matching = positionsMatching(viewer.sport ? [viewer.sport] : filter.sport, filter.position);
    where.push(sql`(opportunity.positions = '{}' or opportunity.positions && ${matching})`);
  }
  if (filter.sex) where.push(sql`(opportunity.sex is null or opportunity.sex = any(${filter.sex}))`);
  if (typeof filter.age === 'number')
    where.push(sql`coalesce(opportunity.age_min, 0) <= ${filter.age} and coalesce(opportunity.age_max, 1000) >= ${filter.age}`);
  if (filter.nationality)
    where.push(sql`(opportunity.nationalities = '{}' or opportunity.nationalities && ${filter.nationality})`);
  return where;
}
