/** Everything generated from the areas' SDL and the tables, by path; `npm run schema` (commands/schema.ts) writes it. */
import { join } from 'node:path';
import { commonTypeDefs } from './build/common.ts';
import { composeAreas } from './build/compose.ts';
import { audiences, printForAudience } from './build/print.ts';
import type { Audience } from './build/print.ts';
import { areaFolder, areasWithSchema, ownTypeDefs } from './type-defs.ts';

const folder = import.meta.dirname;

/** Texts by absolute path. */
export type Files = ReadonlyMap<string, string>;

/** schema/common.graphql: the shared types alone. */
export const commonFile = (): Files => new Map([[join(folder, 'common.graphql'), commonTypeDefs()]]);

/** The supergraph and what each audience sees of it. Throws one Error that tells every fault of every area. */
export function schemaFiles(): Files {
  const common = commonTypeDefs();
  const sources = areasWithSchema().map((name) => {
    const own = ownTypeDefs(name);
    return { name, own, typeDefs: `${common}\n${own}` };
  });
  const { supergraphSdl, oneOf } = composeAreas(sources);
  const printed = (Object.keys(audiences) as Audience[]).map(
    (audience) => [join(folder, `${audience}.graphql`), printForAudience(supergraphSdl, audience, oneOf)] as const,
  );
  return new Map([[join(folder, 'supergraph.graphql'), supergraphSdl], ...printed]);
}

/** The resolver types of every area; reads schema/common.graphql as it is on disk. */
export async function resolverFiles(): Promise<Files> {
  const { resolverTypes } = await import('./build/types.ts');
  const files = areasWithSchema().map(
    async (area) => [join(areaFolder(area), 'resolvers.generated.ts'), await resolverTypes(area)] as const,
  );
  return new Map(await Promise.all(files));
}

if (import.meta.main) throw new Error('This module writes nothing: npm run schema does.');
