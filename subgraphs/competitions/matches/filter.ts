/** Filters and sort orders of lists of matches. */
import { hasFullAccess, type Viewer } from '../../../schema/viewer.ts';
import { sql, type Sql } from '../../../platform/database/database.ts';
import { containsOneOf, oneOf } from '../../../platform/database/one-of.ts';
import type { Sort } from '../../../platform/lists/page.ts';
import { requireAccount } from '../../../platform/writes/resource.ts';
import { readableAthleteIds } from '../../clients/administrator-reads.ts';
import { isTeamVisible, teamsById } from '../../clients/team-facts.ts';
import type { Context } from '../../runtime/subgraph.ts';
import type { MatchSort, QueryMatchesArgs } from '../generated/resolvers.ts';
import { dayOf, isRelative, lastStatuses, nextStatuses } from './filter-violations.ts';
import { liveMatchStatuses } from './rules.ts';
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

/** Lists contain published matches, for seasons all that the viewer can read, and with `mine` the viewer's own in any state. */
function listed(viewer: Viewer, { mine, seasonId }: Filter): Sql {
  if (seasonId && !mine) return visibleMatches(viewer);
  if (mine) return sql`match.account_id = ${requireAccount(viewer)}`;
  return hasFullAccess(viewer) ? sql`true` : sql`match.published`;
}

/** The matches of one day. Without a time zone the date is local to the venue, and matches of an unknown time have only such a date. */
function onDay(date: string, timeZone: string | null | undefined): Sql {
  const day = dayOf(date, timeZone);
  // The index is on `starts_at`, so its range is 36 hours wider than any time-zone offset.
  const near = sql`match.starts_at >= ${day}::date - interval '36 hours' and match.starts_at <= ${day}::date + interval '60 hours'`;
  if (!timeZone && !isRelative(date)) return sql`(match.date = ${day}::date and ${near})`;
  const zone = timeZone ?? 'UTC';
  return sql`(case when match.start_time is null then match.date = ${day}::date
    else match.start_time >= ${day}::timestamp at time zone ${zone} and match.start_time < (${day}::timestamp + interval '1 day') at time zone ${zone}
    end and ${near})`;
}

/**
 * Teams and athletes that the viewer cannot read match nothing, like unknown IDs. So do minors of other accounts: the list would reveal where they
 * play, even though the matches of the team are public.
 */
export async function hiddenSideConditions(context: Context, { athleteId, teamId, opponentId }: Filter): Promise<Sql[]> {
  const { viewer } = context;
  const [athletes, teams] = await Promise.all([
    readableAthleteIds(context, athleteId ?? [], 'COMPETITIONS'),
    teamsById(context, [...(teamId ?? []), opponentId]),
  ]);
  const isTeamShown = (id: string): boolean => isTeamVisible(teams.get(id), viewer);
  const isAthleteShown = (id: string): boolean => athletes.has(id);
  if (opponentId && !isTeamShown(opponentId)) return [sql`false`];
  return [...onlyShown(teamId, isTeamShown, ofTeams), ...onlyShown(athleteId, isAthleteShown, ofAthletes)];
}

/** The condition without the hidden ids of a filter; none if all are shown. */
function onlyShown(
  ids: readonly string[] | null | undefined,
  isShown: (id: string) => boolean,
  conditionOf: (shown: readonly string[]) => Sql,
): Sql[] {
  const shown = (ids ?? []).filter(isShown);
  if (shown.length === (ids ?? []).length) return [];
  return [shown.length === 0 ? sql`false` : conditionOf(shown)];
}

const withEntry = (condition: Sql): Sql =>
  sql`match.id in (select match_participant.match_id from match_participant where ${condition})`;

const ofTeams = (ids: readonly string[]): Sql => withEntry(oneOf(sql`match_participant.team_id`, ids));

const ofAthletes = (ids: readonly string[]): Sql => withEntry(containsOneOf(sql`match_participant.athlete_ids`, ids));

/** The matches of competitions, seasons and their parts. */
function scopeConditions(filter: Filter): Sql[] {
  const where: Sql[] = [];
  if (filter.competitionId) where.push(oneOf(sql`match.competition_id`, filter.competitionId));
  if (filter.seasonId) where.push(oneOf(sql`match.season_id`, filter.seasonId));
  if (filter.contestId) where.push(oneOf(sql`match.contest_id`, filter.contestId));
  if (filter.stageId) where.push(oneOf(sql`match.stage_id`, filter.stageId));
  if (filter.parentMatchId) where.push(sql`match.parent_id = ${filter.parentMatchId}`);
  if (filter.partOfMatch === false) where.push(sql`match.parent_id is null`);
  if (filter.partOfMatch === true) where.push(sql`match.parent_id is not null`);
  if (filter.group) where.push(sql`match.group_name = ${filter.group}`);
  if (filter.matchday) where.push(sql`match.matchday = ${filter.matchday}`);
  if (filter.sport) where.push(sql`match.sport = any(${filter.sport})`);
  return where;
}

/** The matches of a status and a time. Dates are local to the venue. The index is on `starts_at`, so its range is 36 hours wider than any time-zone offset. */
function timeConditions({ status, live, date, timeZone, dateFrom, dateTo }: Filter): Sql[] {
  const where: Sql[] = [];
  if (status) where.push(sql`match.status = any(${status})`);
  if (live === true) where.push(sql`match.status = any(${[...liveMatchStatuses]})`);
  if (live === false) where.push(sql`match.status <> all(${[...liveMatchStatuses]})`);
  if (date) where.push(onDay(date, timeZone));
  if (dateFrom) where.push(sql`match.date >= ${dateFrom}::date and match.starts_at >= ${dateFrom}::date - interval '36 hours'`);
  if (dateTo) where.push(sql`match.date <= ${dateTo}::date and match.starts_at <= ${dateTo}::date + interval '60 hours'`);
  return where;
}

/** The page size and the order of `next` and `last`, which replace those of the request. */
export function shortcutOf({ next, last }: Filter): { first: number; sort: MatchSort } | null {
  if (next) return { first: next, sort: 'START_TIME_ASC' };
  return last ? { first: last, sort: 'START_TIME_DESC' } : null;
}

function shortcutConditions({ next, last }: Filter): Sql[] {
  if (next)
    return [
      sql`match.status = any(${[...nextStatuses]}::text[]) and match.starts_at >= now() - interval '36 hours'
        and case when match.start_time is null then match.date is null or match.date >= current_date else match.start_time >= now() end`,
    ];
  if (!last) return [];
  const isAnnulled = sql`exists (select from result where result.match_id = match.id and result.status = 'ANNULLED')`;
  return [sql`match.status = any(${[...lastStatuses]}::text[])`, sql`not ${isAnnulled}`];
}

function sideConditions({ participantId, teamId, opponentId, athleteId }: Filter): Sql[] {
  const where: Sql[] = [];
  if (participantId) where.push(withEntry(oneOf(sql`match_participant.participant_id`, participantId)));
  if (teamId) where.push(ofTeams(teamId));
  if (opponentId) where.push(ofTeams([opponentId]));
  if (athleteId) where.push(ofAthletes(athleteId));
  return where;
}

/** The conditions of a list of matches for a viewer. Throws Problem api_key_missing (401) for `mine` without a key. */
export function matchConditions(viewer: Viewer, filter: Filter): Sql[] {
  const ofHost = viewer.sport ? [sql`match.sport = ${viewer.sport}`] : [];
  return [
    listed(viewer, filter),
    ...ofHost,
    ...scopeConditions(filter),
    ...timeConditions(filter),
    ...shortcutConditions(filter),
    ...sideConditions(filter),
  ];
}
