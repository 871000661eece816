/** Resolvers of matches. */
import type { AreaServices, Context } from '../../runtime/subgraph.ts';
import type { Reads } from '../reads.ts';
import { loadRequired } from '../required-reads.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import { createMatchBatch } from './batch.ts';
import { clockForApi } from './clock.ts';
import type { MatchVerb } from './rules.ts';
import { scoresOf } from './sub-matches.ts';
import { createMatchWrites, type MatchStep } from './writes.ts';

export function matchResolvers(services: AreaServices, { matches, seasons, contests, stages }: Reads): Resolvers {
  const writes = createMatchWrites(services, matches);
  const batch = createMatchBatch(services);
  const transition = (verb: MatchVerb) => (_: unknown, args: MatchStep, context: Context) =>
    writes.transition(context, verb, args);

  return {
    Query: {
      matches: (_, args, context) => matches.list(context, args),
      match: (_, { id }, context) => context.load(matches.byId, id),
    },
    Mutation: {
      createMatch: (_, { input, idempotencyKey }, context) => writes.create(context, input, idempotencyKey),
      updateMatch: (_, { id, input, ifMatch }, context) => writes.update(context, id, input, ifMatch),
      deleteMatch: async (_, { id, ifMatch }, context) => {
        await writes.remove(context, id, ifMatch);
        return { id, deleted: true };
      },
      upsertMatches: (_, { items, idempotencyKey }, context) => batch.upsert(context, items, idempotencyKey),
      scheduleMatch: transition('schedule'),
      startMatch: transition('start'),
      pauseMatch: transition('pause'),
      resumeMatch: transition('resume'),
      extraTimeMatch: transition('extra-time'),
      shootoutMatch: transition('shootout'),
      finishMatch: transition('finish'),
      postponeMatch: transition('postpone'),
      suspendMatch: transition('suspend'),
      abandonMatch: transition('abandon'),
      cancelMatch: transition('cancel'),
      awardMatch: transition('award'),
      setMatchClock: (_, { id, input, ifMatch }, context) => writes.setClock(context, id, input, ifMatch),
    },
    Match: {
      __resolveReference: ({ id }, context) => context.load(matches.byId, id),
      season: ({ seasonId }, _, context) => loadRequired(context, seasons.byId, seasonId),
      contest: ({ contestId }, _, context) => loadRequired(context, contests.byId, contestId),
      stage: ({ stageId }, _, context) => loadRequired(context, stages.byId, stageId),
      group: ({ groupName }) => groupName,
      clock: (match) => clockForApi(match),
      parentMatch: ({ parentId }, _, context) => (parentId === null ? null : context.load(matches.byId, parentId)),
      subMatches: ({ id }, _, context) => context.load(matches.subMatches, id),
      subMatchScore: async ({ id, format }, _, context) => {
        const score = await context.load(matches.subMatchScores, id);
        return score && [...scoresOf(score, format?.subMatchScoring)];
      },
      externalIds: ({ id }, _, context) => context.load(matches.externalIds, id),
    },
    Venue: { neutral: ({ neutral }) => neutral ?? false },
    Season: {
      matches: ({ id }, { first, after }, context) => context.load(matches.pagesOfSeasons, { owner: id, first, after }),
    },
    Team: {
      matches: ({ id }, { first, after }, context) => context.load(matches.pagesOfTeams, { owner: id, first, after }),
    },
  };
}
