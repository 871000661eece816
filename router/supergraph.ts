/** The supergraph and the schemas printed from it, as `npm run schema` wrote them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a router is built from; all are SDL texts. */
export interface SupergraphFiles {
  readonly supergraphSdl: string;
  readonly schemas: SchemaTexts;
}

/** What each kind of reader may see: the public, a signed-in administrator, the areas themselves. */
export interface SchemaTexts {
  readonly public: string;
  readonly admin: string;
  readonly internal: string;
}

const folder = join(import.meta.dirname, '..', 'schema');
const read = (name: string): string => readFileSync(join(folder, `${name}.graphql`), 'utf8');

/** Reads the committed files; throws when `npm run schema` has never run. */
export function loadSupergraph(): SupergraphFiles {
  return {
    supergraphSdl: read('supergraph'),
    schemas: { public: read('api'), admin: read('admin'), internal: read('internal') },
  };
}
