/** Filters and sort orders of lists of results. */
import { hasFullAccess, type Viewer } from '../../../schema/viewer.ts';
import { sql, type Sql } from '../../../platform/database/database.ts';
import { containsOneOf, oneOf } from '../../../platform/database/one-of.ts';
import type { Sort } from '../../../platform/lists/page.ts';
import { requireAccount } from '../../../platform/writes/resource.ts';
import type { QueryResultsArgs, ResultSort } from '../generated/resolvers.ts';
import type { ResultRow } from './rows.ts';

const startsAt = { column: sql`result.starts_at`, type: 'timestamptz', value: (row: ResultRow) => row.startsAt } as const;

export const resultSorts: Readonly<Record<ResultSort, Sort<ResultRow>>> = {
  START_TIME_DESC: { ...startsAt, direction: 'desc' },
  START_TIME_ASC: { ...startsAt, direction: 'asc' },
  UPDATED_AT_ASC: { column: sql`result.updated_at`, type: 'timestamptz', direction: 'asc', value: (row) => row.updatedAt },
};

/** Published results and the viewer's own. */
export function visibleResults(viewer: Viewer): Sql {
  if (hasFullAccess(viewer)) return sql`true`;
  return viewer.accountId === null ? sql`result.published` : sql`(result.published or result.account_id = ${viewer.accountId})`;
}

/** Lists contain published results, and with `mine` the viewer's own in any state. */
function listed(viewer: Viewer, mine: boolean | null | undefined): Sql {
  if (mine) return sql`result.account_id = ${requireAccount(viewer)}`;
  return hasFullAccess(viewer) ? sql`true` : sql`result.published`;
}

/** The array is evaluated first: the planner cannot estimate the number of matches of an athlete or a team. */
const withEntry = (condition: Sql): Sql =>
  sql`result.match_id = any(array(select e.match_id from match_participant e where e.result is not null and ${condition}))`;

/** The conditions of a list of results for a viewer. Throws Problem api_key_missing (401) for `mine` without a key. */
export function resultConditions(viewer: Viewer, filter: NonNullable<QueryResultsArgs['filter']>): Sql[] {
  const where = [listed(viewer, filter.mine)];
  if (viewer.sport) where.push(sql`result.sport = ${viewer.sport}`);
  if (filter.seasonId) where.push(oneOf(sql`result.season_id`, filter.seasonId));
  if (filter.contestId) where.push(oneOf(sql`result.contest_id`, filter.contestId));
  if (filter.stageId) where.push(oneOf(sql`result.stage_id`, filter.stageId));
  if (filter.status) where.push(sql`result.status = any(${filter.status})`);
  if (filter.participantId) where.push(withEntry(oneOf(sql`e.participant_id`, filter.participantId)));
  if (filter.teamId) where.push(withEntry(oneOf(sql`e.team_id`, filter.teamId)));
  if (filter.athleteId) where.push(withEntry(containsOneOf(sql`e.athlete_ids`, filter.athleteId)));
  return where;
}
