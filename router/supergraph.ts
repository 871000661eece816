/** The supergraph and the schemas derived from it. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { printForAudience } from '../schema/build/print.ts';
import { routerTypeDefs } from '../schema/router-fields.ts';

/** The SDL texts of a router. */
export interface SupergraphFiles {
  readonly supergraphSdl: string;
  readonly schemas: SchemaTexts;
}

/** The schema for each audience: the public, a signed-in administrator, a signed-in member, the areas themselves. */
export interface SchemaTexts {
  readonly public: string;
  readonly admin: string;
  readonly portal: string;
  readonly internal: string;
}

/** The schemas of this version. */
const ownFolder = join(import.meta.dirname, '..', 'schema', 'generated');

/**
 * A schema that is not committed: printed from the supergraph and stored next to it, with a stamp of the supergraph it was printed from.
 * Printing takes about 200 ms; reading takes 1 ms.
 */
function derived(folder: string, audience: 'admin' | 'portal' | 'internal', supergraphSdl: string): string {
  const stamp = `# Derived from the supergraph ${createHash('sha256').update(supergraphSdl).update(routerTypeDefs).digest('hex')}\n`;
  const file = join(folder, `${audience}.graphql`);
  const stored = existsSync(file) ? readFileSync(file, 'utf8') : '';
  if (stored.startsWith(stamp)) return stored;
  const text = `${stamp}${printForAudience(supergraphSdl, audience, routerTypeDefs)}`;
  try {
    const unfinished = `${file}.${process.pid}.tmp`;
    writeFileSync(unfinished, text);
    renameSync(unfinished, file);
  } catch {
    // In a read-only installation the schema is printed at each start.
  }
  return text;
}

/** Reads the generated schemas. Throws Error ENOENT when `npm run schema` has never run. */
export function loadSupergraph(folder = ownFolder): SupergraphFiles {
  const read = (name: string): string => readFileSync(join(folder, `${name}.graphql`), 'utf8');
  const supergraphSdl = read('supergraph');
  return {
    supergraphSdl,
    schemas: {
      public: read('api'),
      admin: derived(folder, 'admin', supergraphSdl),
      portal: derived(folder, 'portal', supergraphSdl),
      internal: derived(folder, 'internal', supergraphSdl),
    },
  };
}
