/** Resolvers of contests. */
import type { AreaServices } from '../../runtime/subgraph.ts';
import type { Reads } from '../reads.ts';
import { loadRequired } from '../required-reads.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import { createPartWrites } from '../season-parts/writes.ts';
import { contestDescription } from './writes.ts';

export function contestResolvers(services: AreaServices, { contests, seasons, stages }: Reads): Resolvers {
  const writes = createPartWrites(services, contests, contestDescription);

  return {
    Query: {
      contests: (_, args, context) => contests.list(context, args),
      contest: (_, path, context) => contests.one(context, path),
    },
    Mutation: {
      createContest: (_, { seasonId, input, idempotencyKey }, context) => writes.create(context, seasonId, input, idempotencyKey),
      updateContest: (_, { input, ifMatch, ...path }, context) => writes.update(context, path, input, ifMatch),
      deleteContest: (_, { ifMatch, ...path }, context) => writes.remove(context, path, ifMatch),
      upsertContests: (_, { seasonId, items, idempotencyKey }, context) =>
        writes.upsert(context, seasonId, items, idempotencyKey),
    },
    Season: {
      contests: ({ id }, { first, after }, context) => context.load(contests.pagesOfSeasons, { owner: id, first, after }),
    },
    Contest: {
      __resolveReference: ({ id }, context) => context.load(contests.byId, id),
      season: ({ seasonId }, _, context) => loadRequired(context, seasons.byId, seasonId),
      order: ({ ordinal }) => ordinal,
      externalIds: ({ id }, _, context) => context.load(contests.externalIds, id),
      stages: ({ id }, { first, after }, context) => context.load(stages.pagesOfContests, { owner: id, first, after }),
    },
  };
}
