/** Which opportunities a list shows. */
import { hasFullAccess, type Viewer } from '../../../schema/viewer.ts';
import { sql, type Sql } from '../../../platform/database/database.ts';
import { requireAccount } from '../../../platform/writes/resource.ts';
import { matchesWords } from '../../../platform/lists/search.ts';
import type { OpportunityFilter, OpportunityStatus } from '../resolvers.generated.ts';
import { positionsMatching } from './rules.ts';

/** Takes applications: the first part alone decides which index is read. */
export const isOpen = sql`opportunity.status = 'PUBLISHED' and opportunity.organization_public and opportunity.application_deadline > now()`;

/** lifecycle.ts statusAt, in SQL. */
const statusNow = sql`case when opportunity.status in ('PUBLISHED', 'PAUSED') and opportunity.application_deadline <= now()
  then 'CLOSED' else opportunity.status end`;

/** In any of these states now. What is stored is named as well, for the index knows only that. */
function inStates(states: readonly OpportunityStatus[]): Sql {
  const stored = states.includes('CLOSED') ? [...new Set([...states, 'PUBLISHED', 'PAUSED'])] : [...states];
  return sql`opportunity.status = any(${stored}) and ${statusNow} = any(${[...states]})`;
}

function visible(viewer: Viewer, { mine, status, externalId, updatedSince }: OpportunityFilter): Sql[] {
  const states = status ? [inStates(status)] : [];
  if (mine) return [sql`opportunity.account_id = ${requireAccount(viewer)}`, ...states];
  if (hasFullAccess(viewer)) return states;
  // Whoever synchronizes, or asks for one by name, must see it in its later states as well.
  if (!status && !externalId && !updatedSince) return [isOpen];
  return [sql`opportunity.status <> 'DRAFT' and opportunity.organization_public`, ...states];
}

/** The conditions of a filter, for what the viewer may see. */
export function opportunityConditions(viewer: Viewer, filter: OpportunityFilter): Sql[] {
  const where = visible(viewer, filter);
  if (viewer.sport) where.push(sql`opportunity.sport = ${viewer.sport}`);
  if (filter.q) where.push(matchesWords(sql`opportunity.search`, filter.q));
  if (filter.type) where.push(sql`opportunity.type = any(${filter.type})`);
  if (filter.sport) where.push(sql`opportunity.sport = any(${filter.sport})`);
  if (filter.position) {
    const matching = positionsMatching(viewer.sport ? [viewer.sport] : filter.sport, filter.position);
    where.push(sql`(opportunity.positions = '{}' or opportunity.positions && ${matching})`);
  }
  if (filter.sex) where.push(sql`(opportunity.sex is null or opportunity.sex = any(${filter.sex}))`);
  if (typeof filter.age === 'number') {
    where.push(sql`coalesce(opportunity.age_min, 0) <= ${filter.age} and coalesce(opportunity.age_max, 1000) >= ${filter.age}`);
  }
  if (filter.nationality)
    where.push(sql`(opportunity.nationalities = '{}' or opportunity.nationalities && ${filter.nationality})`);
  if (filter.country) where.push(sql`opportunity.country = any(${filter.country})`);
  if (filter.deadlineAfter) where.push(sql`opportunity.application_deadline >= ${filter.deadlineAfter}::timestamptz`);
  if (filter.organizationId) where.push(sql`opportunity.organization_id = ${filter.organizationId}`);
  return where;
}
