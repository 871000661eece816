/** Resolvers of replays. */
import { readsMinors } from '../../../schema/viewer.ts';
import type { AreaServices } from '../../runtime/subgraph.ts';
import type { Reads } from '../reads.ts';
import { athleteReference } from '../references.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import { createReplayBatch } from './batch.ts';
import { readReplayAthletes } from './replay-athletes.ts';
import { statusAt } from './rules.ts';
import { createReplayTransitions, createReplayWrites } from './writes.ts';

export function replayResolvers(services: AreaServices, { matches, replays }: Reads): Resolvers {
  const writes = createReplayWrites(services, replays);
  const transitions = createReplayTransitions(services, replays);
  const batch = createReplayBatch(services, replays);

  return {
    Query: {
      replays: (_, args, context) => replays.list(context, args),
      replay: (_, { id }, context) => context.load(replays.byId, id),
      replayReviewCount: (_, _args, { viewer }) => (readsMinors(viewer) ? replays.countForReview() : null),
      replayAthletes: (_, { ids }) => readReplayAthletes(services.database, ids),
    },
    Mutation: {
      createReplay: (_, { input, idempotencyKey }, context) => writes.create(context, input, idempotencyKey),
      updateReplay: (_, { id, input, ifMatch }, context) => writes.update(context, id, input, ifMatch),
      deleteReplay: async (_, { id, ifMatch }, context) => {
        await writes.remove(context, id, ifMatch);
        return { id, deleted: true };
      },
      upsertReplays: (_, { items, idempotencyKey }, context) => batch.upsert(context, items, idempotencyKey),
      addReplayTag: (_, { id, input, idempotencyKey }, context) => writes.tag(context, id, input, idempotencyKey),
      removeReplayTag: (_, { id, tagId, ifMatch }, context) => writes.untag(context, id, tagId, ifMatch),
      publishReplay: (_, args, context) => transitions.publish(context, args),
      hideReplay: (_, args, context) => transitions.hide(context, args),
      takeDownReplay: (_, args, context) => transitions.takeDown(context, args),
    },
    Match: {
      replays: ({ id }, { first, after }, context) => context.load(replays.pagesOfMatches, { owner: id, first, after }),
    },
    Athlete: {
      replays: ({ ref }, { first, after }, context) => context.load(replays.pagesOfAthletes, { owner: ref, first, after }),
    },
    Replay: {
      __resolveReference: ({ id }, context) => context.load(replays.byId, id),
      status: (row) => statusAt(row),
      match: ({ matchId }, _, context) => (matchId === null ? null : context.load(matches.byId, matchId)),
      athlete: ({ athleteId }) => athleteReference(athleteId),
      tags: ({ id }, _, context) => context.load(replays.tags, id),
      rights: (row) => (row.rightsHolder === null && row.territories.length === 0 && row.expiresAt === null ? null : row),
      externalIds: ({ id }, _, context) => context.load(replays.externalIds, id),
    },
    ReplayTag: { athlete: ({ athleteId }) => athleteReference(athleteId) },
    ReplayRights: { holder: ({ rightsHolder }) => rightsHolder },
  };
}
