/** `npm run schema`: composes the areas and writes all that is generated; `--check` only tells which files are stale. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { commonTypeDefs } from './build/common.ts';
import { composeAreas } from './build/compose.ts';
import { audiences, printForAudience } from './build/print.ts';
import type { Audience } from './build/print.ts';
import { areaSchemaFile, areasWithSchema } from './type-defs.ts';

const schemaFolder = import.meta.dirname;
const rootFolder = join(schemaFolder, '..');

type Files = Map<string, string>;

const commonFile = (): Files => new Map([[join(schemaFolder, 'common.graphql'), commonTypeDefs()]]);

/** Everything made from the SDL and the tables alone, by path. Throws one Error that tells every fault. */
export function schemaFiles(): Files {
  const common = commonTypeDefs();
  const sources = areasWithSchema().map((name) => {
    const own = readFileSync(areaSchemaFile(name), 'utf8');
    return { name, own, typeDefs: `${common}\n${own}` };
  });
  const { supergraphSdl, oneOf } = composeAreas(sources);
  const printed = (Object.keys(audiences) as Audience[]).map(
    (audience) => [join(schemaFolder, `${audience}.graphql`), printForAudience(supergraphSdl, audience, oneOf)] as const,
  );
  return new Map([[join(schemaFolder, 'supergraph.graphql'), supergraphSdl], ...printed]);
}

async function resolverFiles(): Promise<Files> {
  const { resolverTypes } = await import('./build/types.ts');
  const files = areasWithSchema().map(
    async (area) => [join(areaSchemaFile(area), '..', 'resolvers.generated.ts'), await resolverTypes(area)] as const,
  );
  return new Map(await Promise.all(files));
}

function stale(files: Files): string[] {
  return [...files].filter(([file, text]) => !existsSync(file) || readFileSync(file, 'utf8') !== text).map(([file]) => file);
}

function write(files: Files): void {
  for (const file of stale(files)) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, files.get(file) ?? '');
    console.log(`wrote ${relative(rootFolder, file)}`);
  }
}

async function main(check: boolean): Promise<number> {
  const settle = (files: Files): string[] => {
    if (check) return stale(files);
    write(files);
    return [];
  };
  // Later steps read what earlier ones wrote; the shared types are written even when an area does not compose yet.
  const outdated = [...settle(commonFile()), ...settle(schemaFiles()), ...settle(await resolverFiles())];
  for (const file of outdated) console.error(`stale: ${relative(rootFolder, file)} (run \`npm run schema\`)`);
  return outdated.length > 0 ? 1 : 0;
}

if (import.meta.main) {
  try {
    process.exitCode = await main(process.argv.includes('--check'));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
