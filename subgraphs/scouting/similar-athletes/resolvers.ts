/** Resolvers of similar athletes. */
import type { AreaServices } from '../../runtime/subgraph.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import type { ProspectReads } from '../prospects/reads.ts';
import { comparedSkillsOf, createSimilarAthletes, similarSkillsOf } from './reads.ts';

export function similarAthleteResolvers(services: AreaServices, prospects: ProspectReads) {
  const findSimilar = createSimilarAthletes(services, prospects);

  return {
    Query: {
      similarAthletes: (_, args, context) => findSimilar(context, args),
    },
    SimilarAthlete: {
      athlete: ({ prospect }) => ({ ref: prospect.athleteId }),
      comparedSkills: (similar) => comparedSkillsOf(similar),
      skills: (similar) => similarSkillsOf(similar),
    },
  } satisfies Resolvers;
}
