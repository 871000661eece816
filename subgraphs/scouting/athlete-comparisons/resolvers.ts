/** Resolvers of athlete comparisons. */
import { Problem } from '../../../schema/errors.ts';
import type { Context } from '../../runtime/subgraph.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import type { ProspectReads } from '../prospects/reads.ts';
import { compareProspects, type ProspectComparison } from './comparison.ts';

/** Throws Problem parameter_invalid (400) for athletes of several sports. */
async function readComparison(
  context: Context,
  { byAthlete }: Pick<ProspectReads, 'byAthlete'>,
  athleteIds: readonly string[],
): Promise<ProspectComparison> {
  context.notes.person = true;
  const found = await Promise.all([...new Set(athleteIds)].map((id) => context.load(byAthlete, id)));
  const rows = found.filter((row) => row !== null);
  if (new Set(rows.map(({ sport }) => sport)).size > 1) {
    const detail = 'Pass athletes of one sport. Values of different sports are not comparable.';
    throw new Problem('parameter_invalid', detail, { errors: [{ parameter: 'athleteId', code: 'several_sports', detail }] });
  }
  return compareProspects(rows);
}

export function athleteComparisonResolvers(prospects: ProspectReads) {
  return {
    Query: {
      athleteComparison: (_, { athleteId }, context) => readComparison(context, prospects, athleteId),
    },
  } satisfies Resolvers;
}
