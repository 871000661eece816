/** Resolvers of comparisons of two teams. */
import type { AreaServices } from '../../runtime/subgraph.ts';
import type { Reads } from '../reads.ts';
import { loadRequired } from '../required-reads.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import { readHeadToHead } from './reads.ts';

export function headToHeadResolvers({ database }: AreaServices, { matches }: Reads): Resolvers {
  return {
    Query: { headToHead: (_, args, context) => readHeadToHead(database, context, args) },
    HeadToHead: {
      team: ({ teamId }) => ({ id: teamId }),
      opponent: ({ opponentId }) => ({ id: opponentId }),
      lastMatches: ({ lastMatchIds }, _, context) =>
        Promise.all(lastMatchIds.map((id) => loadRequired(context, matches.byId, id))),
      form: ({ form }) => [...form],
      opponentForm: ({ opponentForm }) => [...opponentForm],
    },
  };
}
