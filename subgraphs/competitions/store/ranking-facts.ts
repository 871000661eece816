/** Reads what rankings are made from: how a season is built, and what happened in some of its stages. */
import { sql, type Queryable } from '../../../platform/database.ts';
import type {
  AdjustmentFact,
  ContestFact,
  DecisionFact,
  MatchFact,
  ParticipantFact,
  RankingFacts,
  SeasonFact,
  StageFact,
} from '../season-rankings/facts.ts';
import type { CompetitionCategory } from '../resolvers.generated.ts';
import type { ContestRow } from './season-part-rows.ts';

/** How a season is built. */
export interface SeasonFrame {
  readonly season: SeasonFact & {
    readonly accountId: string;
    readonly published: boolean;
    readonly category: CompetitionCategory | null;
  };
  readonly contests: readonly (ContestFact & Pick<ContestRow, 'ordinal' | 'category' | 'course' | 'ageGroup'>)[];
  readonly stages: readonly StageFact[];
}

/** The frames of seasons that there are, in one statement. */
export async function readFrames(queryable: Queryable, seasonIds: readonly string[]): Promise<SeasonFrame[]> {
  return queryable.query<SeasonFrame>(sql`/* rankings.frames */
    select jsonb_build_object('id', season.id, 'accountId', season.account_id, 'published', season.published, 'sport', season.sport,
        'discipline', competition.discipline, 'category', competition.category, 'rankingRules', season.ranking_rules,
        'endDate', season.end_date) as season,
      coalesce((select jsonb_agg(jsonb_build_object('id', contest.id, 'ordinal', contest.ordinal, 'eventCode', contest.event_code, 'category', contest.category,
          'course', contest.course, 'ageGroup', contest.age_group) order by contest.id)
        from contest where contest.season_id = season.id), '[]') as contests,
      coalesce((select jsonb_agg(jsonb_build_object('id', stage.id, 'contestId', stage.contest_id, 'type', stage.type, 'ordinal', stage.ordinal,
          'groups', stage.groups, 'advancement', stage.advancement, 'rankingRules', stage.ranking_rules) order by stage.ordinal, stage.id)
        from stage where stage.season_id = season.id), '[]') as stages
    from season join competition on competition.id = season.competition_id
    where season.id = any(${[...seasonIds]}::uuid[]) order by season.id`);
}

interface Happened {
  readonly matches: readonly MatchFact[];
  readonly participants: readonly ParticipantFact[];
  readonly adjustments: readonly AdjustmentFact[];
  readonly decisions: readonly DecisionFact[];
}

/** What happened in the given stages of a season, in one statement; matches without entries and results, too. */
export async function readFacts(
  queryable: Queryable,
  { season, contests, stages }: SeasonFrame,
  stageIds: readonly string[],
): Promise<RankingFacts> {
  const ids = sql`any(${[...stageIds]}::uuid[])`;
  const entered = [...new Set(stages.flatMap(({ id, contestId }) => (stageIds.includes(id) ? [contestId] : [])))];
  const [happened] = await queryable.query<Happened>(sql`/* rankings.facts */
    select coalesce((select json_agg(json_build_object('id', match.id, 'contestId', match.contest_id, 'stageId', match.stage_id,
          'groupName', match.group_name, 'matchday', match.matchday, 'date', match.date, 'startsAt', match.starts_at, 'status', match.status,
          'neutral', coalesce((match.venue ->> 'neutral')::boolean, false), 'resultStatus', result.status, 'duration', result.duration,
          'entries', coalesce((select json_agg(json_build_object('participantId', entry.participant_id, 'side', entry.side, 'part', entry.result)
            order by entry.ordinal) from match_participant entry where entry.match_id = match.id), '[]')))
        from match left join result on result.match_id = match.id where match.stage_id = ${ids}), '[]') as matches,
      coalesce((select json_agg(json_build_object('id', id, 'contestId', contest_id, 'type', type, 'teamId', team_id, 'athleteId', athlete_id,
          'representsTeamId', represents_team_id, 'groupName', group_name, 'entry', entry))
        from participant where season_id = ${season.id} and (contest_id is null or contest_id = any(${entered}::uuid[]))), '[]') as participants,
      coalesce((select json_agg(json_build_object('stageId', stage_id, 'participantId', participant_id, 'points', points, 'timeMs', time_ms,
          'reason', reason, 'createdAt', created_at)) from adjustment where stage_id = ${ids}), '[]') as adjustments,
      coalesce((select json_agg(json_build_object('id', id, 'stageId', stage_id, 'groupName', group_name, 'participantIds', participant_ids,
          'criterion', criterion, 'reason', reason, 'createdAt', created_at)) from tie_break_decision where stage_id = ${ids}), '[]') as decisions`);
  const nothing = { matches: [], participants: [], adjustments: [], decisions: [] };
  return { season, contests, stages, ...(happened ?? nothing) };
}
