/** Reads the matches of two teams against each other. */
import { sql, type Queryable, type Sql } from '../../../platform/database/database.ts';
import { isTeamVisible, teamsById } from '../../clients/team-facts.ts';
import { rejectFilter } from '../../runtime/filter-violations.ts';
import type { Context } from '../../runtime/subgraph.ts';
import type { MatchOutcome, QueryHeadToHeadArgs } from '../generated/resolvers.ts';
import { visibleMatches } from '../matches/filter.ts';
import { countingStatuses } from '../results/rows.ts';

/** The parent object of the `HeadToHead` resolvers. */
export interface HeadToHeadRow {
  readonly teamId: string;
  readonly opponentId: string;
  readonly matchesPlayed: number;
  readonly won: number;
  readonly draw: number;
  readonly lost: number;
  readonly scoreFor: number;
  readonly scoreAgainst: number;
  /** Latest first. */
  readonly lastMatchIds: readonly string[];
  readonly form: readonly MatchOutcome[];
  readonly opponentForm: readonly MatchOutcome[];
}

const shownMax = 5;

/** The outcome of an entry `own`: the recorded one. */
const outcome = sql`own.result ->> 'outcome'`;

/** Entries `own` of a team in whole matches that count and that the viewer can read; `joined` adds tables. */
const entriesOf = (
  teamId: string,
  conditions: Sql,
  joined = sql``,
): Sql => sql`match_participant own join match on match.id = own.match_id
  join result on result.match_id = match.id and result.status = any(${[...countingStatuses]}::text[]) ${joined}
  where own.team_id = ${teamId} and match.parent_id is null and ${conditions}`;

/** The last outcomes of a team, most recent last. */
const formOf = (
  teamId: string,
  conditions: Sql,
): Sql => sql`(select coalesce(json_agg(last.outcome order by last.starts_at, last.id), '[]')
  from (select ${outcome} as outcome, own.starts_at, own.match_id as id from ${entriesOf(teamId, conditions)} and ${outcome} is not null
    order by own.starts_at desc, own.match_id desc limit ${shownMax}) as last)`;

/** Null where a team is unknown or not visible to the viewer. Throws Problem parameter_invalid (400) for a team with itself. */
export async function readHeadToHead(
  database: Queryable,
  context: Context,
  { teamId, opponentId, competitionId }: QueryHeadToHeadArgs,
): Promise<HeadToHeadRow | null> {
  const detail = '`opponentId` must be another team than `teamId`.';
  rejectFilter(teamId === opponentId ? [{ parameter: 'opponentId', code: 'contradiction', detail }] : []);
  const { viewer } = context;
  const teams = await teamsById(context, [teamId, opponentId]);
  if (![teamId, opponentId].every((id) => isTeamVisible(teams.get(id), viewer))) return null;
  const ofHost = viewer.sport ? sql`match.sport = ${viewer.sport}` : sql`true`;
  const ofCompetition = competitionId ? sql`match.competition_id = ${competitionId}` : sql`true`;
  const conditions = sql`${visibleMatches(viewer)} and ${ofHost} and ${ofCompetition}`;
  const other = sql`join match_participant other on other.match_id = own.match_id and other.team_id = ${opponentId}`;
  const [row] = await database.query<Omit<HeadToHeadRow, 'teamId' | 'opponentId'>>(sql`/* headToHead.read */
    with meeting as (
      select own.match_id, own.starts_at, ${outcome} as outcome, (own.result ->> 'score')::int as own_score,
        (other.result ->> 'score')::int as other_score
      from ${entriesOf(teamId, conditions, other)})
    select count(*)::int as "matchesPlayed", count(*) filter (where outcome = 'WIN')::int as won,
      count(*) filter (where outcome = 'DRAW')::int as draw, count(*) filter (where outcome = 'LOSS')::int as lost,
      coalesce(sum(own_score), 0)::int as "scoreFor", coalesce(sum(other_score), 0)::int as "scoreAgainst",
      coalesce((select json_agg(match_id order by starts_at desc, match_id desc)
        from (select match_id, starts_at from meeting order by starts_at desc, match_id desc limit ${shownMax}) as last), '[]') as "lastMatchIds",
      ${formOf(teamId, conditions)} as form, ${formOf(opponentId, conditions)} as "opponentForm"
    from meeting`);
  return row ? { ...row, teamId, opponentId } : null;
}
