/** Reads the facts that rankings are computed from: the structure of a season, and the matches of some of its stages. */
import { sql, type Queryable } from '../../../platform/database/database.ts';
import type { ContestRow } from '../contests/rows.ts';
import type { CompetitionCategory } from '../generated/resolvers.ts';
import type {
  AdjustmentFact,
  ContestFact,
  DecisionFact,
  EntryFact,
  MatchFact,
  ParticipantFact,
  RankingFacts,
  SeasonFact,
  StageFact,
} from './facts.ts';

/** A season with its contests and stages. */
export interface SeasonStructure {
  readonly season: SeasonFact & {
    readonly accountId: string;
    readonly published: boolean;
    readonly category: CompetitionCategory | null;
  };
  readonly contests: readonly (ContestFact & Pick<ContestRow, 'ordinal' | 'category' | 'course' | 'ageGroup' | 'sportClass'>)[];
  readonly stages: readonly StageFact[];
}

/** The structures of seasons, in one statement. */
export async function readStructures(queryable: Queryable, seasonIds: readonly string[]): Promise<SeasonStructure[]> {
  return queryable.query<SeasonStructure>(sql`/* rankings.structures */
    select jsonb_build_object('id', season.id, 'accountId', season.account_id, 'published', season.published, 'sport', season.sport,
        'discipline', competition.discipline, 'category', competition.category, 'rankingRules', season.ranking_rules,
        'endDate', season.end_date) as season,
      coalesce((select jsonb_agg(jsonb_build_object('id', contest.id, 'ordinal', contest.ordinal, 'eventCode', contest.event_code, 'category', contest.category,
          'course', contest.course, 'sportClass', contest.sport_class, 'ageGroup', coalesce(contest.age_group, competition.age_group)) order by contest.id)
        from contest where contest.season_id = season.id), '[]') as contests,
      coalesce((select jsonb_agg(jsonb_build_object('id', stage.id, 'contestId', stage.contest_id, 'type', stage.type, 'ordinal', stage.ordinal,
          'groups', stage.groups, 'advancement', stage.advancement, 'carryOver', stage.carry_over,
          'continuousPositions', stage.continuous_positions, 'rankingRules', stage.ranking_rules) order by stage.ordinal, stage.id)
        from stage where stage.season_id = season.id), '[]') as stages
    from season join competition on competition.id = season.competition_id
    where season.id = any(${[...seasonIds]}::uuid[]) order by season.id`);
}

interface SeasonParts {
  readonly participants: readonly ParticipantFact[];
  readonly adjustments: readonly AdjustmentFact[];
  readonly decisions: readonly DecisionFact[];
}

/** Matches with their entries, in two statements: converting results to JSON in PostgreSQL takes three times as long. */
async function readMatches(queryable: Queryable, stageIds: readonly string[]): Promise<MatchFact[]> {
  const inStages = sql`match.stage_id = any(${[...stageIds]}::uuid[]) and match.parent_id is null`;
  const readingMatches = queryable.query<Omit<MatchFact, 'entries'>>(sql`/* rankings.matches */
    select match.id, match.contest_id as "contestId", match.stage_id as "stageId", match.group_name as "groupName", match.matchday, match.date,
      match.starts_at as "startsAt", match.status, coalesce((match.venue ->> 'neutral')::boolean, false) as neutral,
      result.status as "resultStatus", result.duration
    from match left join result on result.match_id = match.id where ${inStages}`);
  const readingEntries = queryable.query<EntryFact & { readonly matchId: string }>(sql`/* rankings.entries */
    select entry.match_id as "matchId", entry.participant_id as "participantId", entry.side, entry.result as part
    from match join match_participant entry on entry.match_id = match.id where ${inStages} order by entry.match_id, entry.ordinal`);
  const [matches, entries] = await Promise.all([readingMatches, readingEntries]);
  const byMatch = Map.groupBy(entries, ({ matchId }) => matchId);
  return matches.map((match) => ({ ...match, entries: byMatch.get(match.id) ?? [] }));
}

/** The facts of the given stages of a season, including matches without results. */
export async function readFacts(
  queryable: Queryable,
  { season, contests, stages }: SeasonStructure,
  stageIds: readonly string[],
): Promise<RankingFacts> {
  const ids = sql`any(${[...stageIds]}::uuid[])`;
  const inContests = [...new Set(stages.flatMap(({ id, contestId }) => (stageIds.includes(id) ? [contestId] : [])))];
  const readingMatches = readMatches(queryable, stageIds);
  const readingParts = queryable.query<SeasonParts>(sql`/* rankings.parts */
    select coalesce((select json_agg(json_build_object('id', id, 'contestId', contest_id, 'type', type, 'teamId', team_id, 'athleteId', athlete_id,
          'representsTeamId', represents_team_id, 'groupName', group_name, 'division', division, 'entry', entry))
        from participant where season_id = ${season.id} and (contest_id is null or contest_id = any(${inContests}::uuid[]))), '[]') as participants,
      coalesce((select json_agg(json_build_object('stageId', stage_id, 'participantId', participant_id, 'points', points, 'timeMs', time_ms,
          'reason', reason, 'createdAt', created_at)) from adjustment where stage_id = ${ids}), '[]') as adjustments,
      coalesce((select json_agg(json_build_object('id', id, 'stageId', stage_id, 'groupName', group_name, 'participantIds', participant_ids,
          'criterion', criterion, 'reason', reason, 'createdAt', created_at)) from tie_break_decision where stage_id = ${ids}), '[]') as decisions`);
  const [matches, [parts]] = await Promise.all([readingMatches, readingParts]);
  return { season, contests, stages, matches, ...(parts ?? { participants: [], adjustments: [], decisions: [] }) };
}
