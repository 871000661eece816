/** SQL conditions of statistics lists. A filter matches only athletes whose filtered members the viewer can read. */
import type { Viewer } from '../../../schema/viewer.ts';
import { raw, sql, type Sql } from '../../../platform/database/database.ts';
import { oneOf } from '../../../platform/database/one-of.ts';
import { requireAccount } from '../../../platform/writes/resource.ts';
import { visibleTeamIds } from '../../clients/team-facts.ts';
import { rejectFilter, reversedRange, unknownCodes } from '../../runtime/filter-violations.ts';
import type { Context } from '../../runtime/subgraph.ts';
import { latestBirthDate } from '../athletes/age.ts';
import { visibleWithConsent } from '../athletes/visible-rows.ts';
import type { StatisticsFilter } from '../generated/resolvers.ts';

/** The filter as it applies to the viewer: hidden teams match no rows. Throws Problem parameter_invalid (400) for unknown codes and reversed ranges. */
export async function visibleFilter(context: Context, filter: StatisticsFilter): Promise<StatisticsFilter> {
  const { sport, metric, eventCode, ageMin, ageMax } = filter;
  rejectFilter([
    ...unknownCodes('metric', 'metric', sport, metric ? [metric] : null),
    ...unknownCodes('eventCode', 'event', sport, eventCode),
    ...reversedRange(['ageMin', ageMin], ['ageMax', ageMax]),
  ]);
  return filter.teamId ? { ...filter, teamId: await visibleTeamIds(context, filter.teamId) } : filter;
}

/** The tables of the conditions. A filter by metric adds `statistic_metric`. */
export function statisticsTables({ metric }: StatisticsFilter): Sql {
  const rows = sql`statistics join athlete on athlete.id = statistics.athlete_id`;
  return metric ? sql`${rows} join statistic_metric on statistic_metric.statistics_id = statistics.id` : rows;
}

type Conditions = readonly (Sql | false | null | undefined)[];

/** Conditions on the row. `facts` is the table whose index has the columns that `statistic_metric` repeats. */
function rowConditions({ sport: host }: Viewer, filter: StatisticsFilter, facts: Sql): Conditions {
  const { athleteId, sport, matchId, seasonId, competitionId, teamId, metric, scope, source, eventCode, minMatches, verified } =
    filter;
  return [
    host && sql`${facts}.sport = ${host}`,
    athleteId && oneOf(sql`statistics.athlete_id`, athleteId),
    sport && oneOf(sql`${facts}.sport`, sport),
    matchId && oneOf(sql`statistics.match_id`, matchId),
    seasonId && oneOf(sql`${facts}.season_id`, seasonId),
    competitionId && oneOf(sql`${facts}.competition_id`, competitionId),
    teamId && oneOf(sql`statistics.team_id`, teamId),
    metric ? sql`statistic_metric.key = ${metric}` : null,
    scope && oneOf(sql`${facts}.scope`, scope),
    source && oneOf(sql`${facts}.source`, source),
    eventCode && oneOf(sql`statistics.event_code`, eventCode),
    typeof minMatches === 'number' && sql`statistics.matches_played >= ${minMatches}`,
    typeof verified === 'boolean' && sql`statistics.verified = ${verified}`,
  ];
}

function athleteConditions({ sex, ageMin, ageMax }: StatisticsFilter): Conditions {
  return [
    sex && oneOf(sql`athlete.sex`, sex),
    typeof ageMin === 'number' && sql`athlete.date_of_birth <= ${latestBirthDate(ageMin)}::date`,
    typeof ageMax === 'number' && sql`athlete.date_of_birth > ${latestBirthDate(ageMax + 1)}::date`,
  ];
}

/** The conditions of a list for a viewer. Throws Problem api_key_missing (401) for `mine` without a key. */
export function statisticsConditions(viewer: Viewer, filter: StatisticsFilter): Sql[] {
  const visible = filter.mine ? sql`athlete.account_id = ${requireAccount(viewer)}` : visibleWithConsent(viewer, 'PROFILE');
  const facts = raw(filter.metric ? 'statistic_metric' : 'statistics');
  const conditions = [...rowConditions(viewer, filter, facts), ...athleteConditions(filter)];
  return [visible, ...conditions.flatMap((condition) => condition || [])];
}
