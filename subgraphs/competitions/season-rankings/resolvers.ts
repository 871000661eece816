/** Resolvers of rankings, best marks and brackets: one line a field. */
import type { AreaServices, Context } from '../../runtime/subgraph.ts';
import { eventOf } from '../../../schema/sports.ts';
import { displayMark } from '../rankings/mark.ts';
import type { Resolvers } from '../resolvers.generated.ts';
import type { RankingPlace } from './rows.ts';
import type { Stores } from '../reads.ts';

export function rankingResolvers(
  _: AreaServices,
  { rankings, brackets, teamStandings, personalBests, matches, participants, contests, stages }: Stores,
): Resolvers {
  const participant = (id: string | null, context: Context) => (id === null ? null : context.load(participants.byId, id));
  const match = async (id: string | null | undefined, context: Context) => (id == null ? null : context.load(matches.byId, id));

  return {
    Query: {
      rankings: (_parent, args, context) => rankings.list(context, args),
      bracket: (_parent, args, context) => brackets.read(context, args),
    },
    Athlete: {
      personalBests: ({ ref }, _args, context) => context.load(personalBests, ref),
    },
    PersonalBest: {
      discipline: ({ sport, eventCode }) => eventOf(sport, eventCode)?.discipline ?? null,
      course: ({ course }) => course || null,
      mark: ({ value, unit }) => ({ value, unit, display: displayMark(value, unit) }),
      match: ({ matchId }, _args, context) => match(matchId, context),
    },
    Team: {
      standings: ({ id }, { first, after }, context) => context.load(teamStandings.pagesOfTeams, { owner: id, first, after }),
    },
    RankingRow: {
      contest: ({ contest, contestId }, _args, context) =>
        contest !== undefined || contestId === null ? (contest ?? null) : context.load(contests.byId, contestId),
      stage: ({ stage, stageId }, _args, context) =>
        stage !== undefined || stageId === null ? (stage ?? null) : context.load(stages.byId, stageId),
      group: ({ groupName }) => groupName,
      participant: ({ vacated, participantId }: RankingPlace, _args, context) =>
        participant(vacated ? null : participantId, context),
      mark: ({ mark }) => (mark ? { ...mark, display: displayMark(mark.value, mark.unit) } : null),
      match: ({ vacated, matchId }, _args, context) => match(vacated ? null : matchId, context),
      countingResults: ({ countingResults }) => (countingResults ? [...countingResults] : null),
    },
    CountingResult: {
      match: ({ matchId }, _args, context) => match(matchId, context),
    },
    Bracket: {
      rounds: ({ rounds }) => [...rounds],
      champion: ({ championId }, _args, context) => participant(championId, context),
      runnerUp: ({ runnerUpId }, _args, context) => participant(runnerUpId, context),
      thirdPlace: ({ thirdPlaceId }, _args, context) => participant(thirdPlaceId, context),
      fourthPlace: ({ fourthPlaceId }, _args, context) => participant(fourthPlaceId, context),
    },
    BracketTie: {
      matches: async ({ matchIds }, _args, context) => {
        const found = await Promise.all(matchIds.map((id) => match(id, context)));
        return found.filter((each) => each !== null);
      },
      advanced: ({ advancedId }, _args, context) => participant(advancedId, context),
    },
    BracketSlot: {
      participant: ({ participantId }, _args, context) => participant(participantId, context),
      sourceTieId: ({ source }) => source?.tieId ?? null,
      sourceOutcome: ({ source }) => source?.outcome ?? null,
    },
  };
}
