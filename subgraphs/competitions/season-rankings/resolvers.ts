/** Resolvers of rankings and team standings. */
import type { AreaServices, Context } from '../../runtime/subgraph.ts';
import { displayMark } from '../rankings/mark.ts';
import type { Reads } from '../reads.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import type { RankingPlace } from './rows.ts';

export function rankingResolvers(
  _: AreaServices,
  { rankings, teamStandings, matches, participants, contests, stages }: Reads,
): Resolvers {
  const match = async (id: string | null | undefined, context: Context) => (id == null ? null : context.load(matches.byId, id));

  return {
    Query: { rankings: (_parent, args, context) => rankings.list(context, args) },
    Team: {
      standings: ({ id }, { first, after }, context) => context.load(teamStandings.pagesOfTeams, { owner: id, first, after }),
    },
    RankingRow: {
      contest: ({ contest, contestId }, _args, context) =>
        contest !== undefined || contestId === null ? (contest ?? null) : context.load(contests.byId, contestId),
      stage: ({ stage, stageId }, _args, context) =>
        stage !== undefined || stageId === null ? (stage ?? null) : context.load(stages.byId, stageId),
      group: ({ ownGroup, groupName }) => ownGroup ?? groupName,
      participant: ({ vacated, participantId }: RankingPlace, _args, context) =>
        vacated ? null : context.load(participants.byId, participantId),
      mark: ({ mark }) => (mark ? { ...mark, display: displayMark(mark.value, mark.unit) } : null),
      match: ({ vacated, matchId }, _args, context) => match(vacated ? null : matchId, context),
      countingResults: ({ countingResults }) => (countingResults ? [...countingResults] : null),
    },
    CountingResult: {
      match: ({ matchId }, _args, context) => match(matchId, context),
    },
  };
}
