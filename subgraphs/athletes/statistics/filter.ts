/** Which rows of statistics a list shows: only of athletes of whom the viewer is shown all that a filter reads. */
import type { Viewer } from '../../../schema/viewer.ts';
import { raw, sql, type Sql } from '../../../platform/database/database.ts';
import { oneOf } from '../../../platform/database/one-of.ts';
import { requireAccount } from '../../../platform/writes/resource.ts';
import type { Context } from '../../runtime/subgraph.ts';
import { isHiddenTeam } from '../../clients/team-facts.ts';
import { latestBirthDate } from '../athletes/age.ts';
import type { StatisticsFilter } from '../resolvers.generated.ts';
import { visibleWithConsent } from '../athletes/visible-rows.ts';

const noTeam = '00000000-0000-0000-0000-000000000000';

/** The filter as it reads for the viewer: a team that the viewer may not know of is none at all. */
export async function knownFilter(context: Context, filter: StatisticsFilter): Promise<StatisticsFilter> {
  return (await isHiddenTeam(context, filter.teamId)) ? { ...filter, teamId: noTeam } : filter;
}

/** The tables that the conditions are about; with a metric a row of `statistic_metric` as well. */
export function statisticsTables({ metric }: StatisticsFilter): Sql {
  const rows = sql`statistics join athlete on athlete.id = statistics.athlete_id`;
  return metric ? sql`${rows} join statistic_metric on statistic_metric.statistics_id = statistics.id` : rows;
}

/** The conditions of a list for a viewer. Throws Problem api_key_missing (401) for `mine` without a key. */
export function statisticsConditions(viewer: Viewer, filter: StatisticsFilter): Sql[] {
  const where = [filter.mine ? sql`athlete.account_id = ${requireAccount(viewer)}` : visibleWithConsent(viewer, 'PROFILE')];
  // a number has them beside it, and in its index
  const facts = raw(filter.metric ? 'statistic_metric' : 'statistics');
  if (viewer.sport) where.push(sql`${facts}.sport = ${viewer.sport}`);
  if (filter.athleteId) where.push(sql`statistics.athlete_id = ${filter.athleteId}`);
  if (filter.sport) where.push(oneOf(sql`${facts}.sport`, filter.sport));
  if (filter.matchId) where.push(sql`statistics.match_id = ${filter.matchId}`);
  if (filter.seasonId) where.push(sql`${facts}.season_id = ${filter.seasonId}`);
  if (filter.competitionId) where.push(sql`${facts}.competition_id = ${filter.competitionId}`);
  if (filter.teamId) where.push(sql`statistics.team_id = ${filter.teamId}`);
  if (filter.metric) where.push(sql`statistic_metric.key = ${filter.metric}`);
  if (filter.scope) where.push(oneOf(sql`${facts}.scope`, filter.scope));
  if (filter.source) where.push(oneOf(sql`${facts}.source`, filter.source));
  if (filter.eventCode) where.push(oneOf(sql`statistics.event_code`, filter.eventCode));
  if (filter.sex) where.push(oneOf(sql`athlete.sex`, filter.sex));
  if (typeof filter.ageMin === 'number') where.push(sql`athlete.date_of_birth <= ${latestBirthDate(filter.ageMin)}::date`);
  if (typeof filter.ageMax === 'number') where.push(sql`athlete.date_of_birth > ${latestBirthDate(filter.ageMax + 1)}::date`);
  if (typeof filter.minMatches === 'number') where.push(sql`statistics.matches_played >= ${filter.minMatches}`);
  if (typeof filter.verified === 'boolean') where.push(sql`statistics.verified = ${filter.verified}`);
  return where;
}
