/** Filters and sort orders of lists of matches. */
import { owns, hasFullAccess, type Viewer } from '../../../schema/viewer.ts';
import { sql, type Sql } from '../../../platform/database/database.ts';
import type { Sort } from '../../../platform/lists/page.ts';
import { requireAccount } from '../../../platform/writes/resource.ts';
import { athletesById } from '../../clients/athlete-facts.ts';
import { isTeamVisible, teamsById } from '../../clients/team-facts.ts';
import type { Context } from '../../runtime/subgraph.ts';
import type { MatchSort, QueryMatchesArgs } from '../generated/resolvers.ts';
import type { MatchRow } from './rows.ts';

type Filter = NonNullable<QueryMatchesArgs['filter']>;

const startsAt = { column: sql`match.starts_at`, type: 'timestamptz', value: (row: MatchRow) => row.startsAt } as const;

export const matchSorts: Readonly<Record<MatchSort, Sort<MatchRow>>> = {
  START_TIME_ASC: { ...startsAt, direction: 'asc' },
  START_TIME_DESC: { ...startsAt, direction: 'desc' },
  UPDATED_AT_ASC: { column: sql`match.updated_at`, type: 'timestamptz', direction: 'asc', value: (row) => row.updatedAt },
};

/** Published matches and the viewer's own. */
export function visibleMatches(viewer: Viewer): Sql {
  if (hasFullAccess(viewer)) return sql`true`;
  return viewer.accountId === null ? sql`match.published` : sql`(match.published or match.account_id = ${viewer.accountId})`;
}

/** Lists contain published matches, for a season all that the viewer can read, and with `mine` the viewer's own in any state. */
function listed(viewer: Viewer, { mine, seasonId }: Filter): Sql {
  if (seasonId && !mine) return visibleMatches(viewer);
  if (mine) return sql`match.account_id = ${requireAccount(viewer)}`;
  return hasFullAccess(viewer) ? sql`true` : sql`match.published`;
}

/**
 * Filtering by a team or an athlete that the viewer cannot read returns an empty list, the same as for an unknown ID. So does filtering by a minor
 * of another account: the list would reveal where the minor plays, even though the matches of the team are public.
 */
export async function hiddenSideConditions(context: Context, { athleteId, teamId }: Filter): Promise<Sql[]> {
  const { viewer } = context;
  if (hasFullAccess(viewer)) return [];
  const [athletes, teams] = await Promise.all([athletesById(context, [athleteId]), teamsById(context, [teamId])]);
  const athlete = athletes.get(athleteId ?? '');
  const isAthleteKnown = athlete !== undefined && (owns(viewer, athlete.accountId) || (athlete.public && !athlete.minor));
  const hidden = (!!athleteId && !isAthleteKnown) || (!!teamId && !isTeamVisible(teams.get(teamId), viewer));
  return hidden ? [sql`false`] : [];
}

const withEntry = (condition: Sql): Sql =>
  sql`match.id in (select match_participant.match_id from match_participant where ${condition})`;

/** The conditions of a list of matches for a viewer. Throws Problem api_key_missing (401) for `mine` without a key. */
export function matchConditions(viewer: Viewer, filter: Filter): Sql[] {
  const where = [listed(viewer, filter)];
  if (viewer.sport) where.push(sql`match.sport = ${viewer.sport}`);
  if (filter.competitionId) where.push(sql`match.competition_id = ${filter.competitionId}`);
  if (filter.seasonId) where.push(sql`match.season_id = ${filter.seasonId}`);
  if (filter.contestId) where.push(sql`match.contest_id = ${filter.contestId}`);
  if (filter.stageId) where.push(sql`match.stage_id = ${filter.stageId}`);
  if (filter.group) where.push(sql`match.group_name = ${filter.group}`);
  if (filter.matchday) where.push(sql`match.matchday = ${filter.matchday}`);
  if (filter.sport) where.push(sql`match.sport = any(${filter.sport})`);
  if (filter.status) where.push(sql`match.status = any(${filter.status})`);
  if (filter.participantId) where.push(withEntry(sql`match_participant.participant_id = ${filter.participantId}`));
  if (filter.teamId) where.push(withEntry(sql`match_participant.team_id = ${filter.teamId}`));
  if (filter.athleteId) where.push(withEntry(sql`match_participant.athlete_ids @> array[${filter.athleteId}]::uuid[]`));
  // Dates are local to the venue. The index is on `starts_at`, so its range is 36 hours wider than any time-zone offset.
  if (filter.dateFrom)
    where.push(sql`match.date >= ${filter.dateFrom}::date and match.starts_at >= ${filter.dateFrom}::date - interval '36 hours'`);
  if (filter.dateTo)
    where.push(sql`match.date <= ${filter.dateTo}::date and match.starts_at <= ${filter.dateTo}::date + interval '60 hours'`);
  return where;
}
