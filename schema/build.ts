/** The files generated from the SDL of the areas and the tables of schema/, by path. `npm run schema` writes them. */
import { join } from 'node:path';
import { commonTypeDefs } from './build/common.ts';
import { composeAreas } from './build/compose.ts';
import { printForAudience } from './build/print.ts';
import { routerTypeDefs } from './router-fields.ts';
import { subscriptionTypeDefs } from './subscription-fields.ts';
import { areaFolder, areasWithSchema, ownTypeDefs } from './type-defs.ts';

const folder = join(import.meta.dirname, 'generated');

/** Texts by absolute path. */
export type Files = ReadonlyMap<string, string>;

/** The supergraph and the public schema. Throws one Error that lists every violation of every area. */
export function schemaFiles(): Files {
  const common = commonTypeDefs();
  const sources = areasWithSchema().map((name) => {
    const own = ownTypeDefs(name);
    return { name, own, typeDefs: `${common}\n${own}` };
  });
  const supergraphSdl = composeAreas(sources);
  return new Map([
    [join(folder, 'supergraph.graphql'), supergraphSdl],
    [join(folder, 'api.graphql'), printForAudience(supergraphSdl, 'api', `${routerTypeDefs}\n${subscriptionTypeDefs}`)],
  ]);
}

/** The resolver types of every area. */
export async function resolverFiles(): Promise<Files> {
  const { resolverTypes } = await import('./build/types.ts');
  const files = areasWithSchema().map(
    async (area) => [join(areaFolder(area), 'generated/resolvers.ts'), await resolverTypes(area)] as const,
  );
  return new Map(await Promise.all(files));
}

if (import.meta.main) throw new Error('This module writes nothing: npm run schema does.');
