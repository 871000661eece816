/** `node commands/openapi.ts`: writes the OpenAPI document of each major version; `--check` only lists stale files. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { buildSchema } from 'graphql';
import { openApiDocument, type OpenApiDocument } from '../rest-bridge/documentation/openapi.ts';
import { subjectExamples } from '../rest-bridge/documentation/openapi-webhooks.ts';
import { loadOperations } from '../rest-bridge/operations/load-operations.ts';
import { versions } from '../rest-bridge/versions.ts';

const root = join(import.meta.dirname, '..');

const documents = new Map<number, OpenApiDocument>();

/** The documents by major version, made once from schema/generated/api.graphql and rest-bridge/v<major>. Throws as loadOperations does. */
export function openApiDocuments(): ReadonlyMap<number, OpenApiDocument> {
  if (documents.size > 0) return documents;
  const apiSchema = buildSchema(readFileSync(join(root, 'schema/generated/api.graphql'), 'utf8'));
  const operations = loadOperations(apiSchema);
  for (const { major } of versions) documents.set(major, openApiDocument({ apiSchema, operations, major }));
  return documents;
}

/** The latest document. */
export function latestOpenApiDocument(): OpenApiDocument {
  const latest = openApiDocuments().get(Math.max(...versions.map(({ major }) => major)));
  if (latest === undefined) throw new Error('rest-bridge/versions.ts has no version.');
  return latest;
}

/** The text of every OpenAPI document by path. */
export function openApiFiles(): ReadonlyMap<string, string> {
  const file = (major: number): string => join(root, `schema/generated/openapi/v${major}.json`);
  return new Map([...openApiDocuments()].map(([major, document]) => [file(major), `${JSON.stringify(document, null, 2)}\n`]));
}

/** schema/generated/event-examples.json: the representations of the examples of `GET /event-types`. */
export function eventExampleFiles(): ReadonlyMap<string, string> {
  const examples = subjectExamples(latestOpenApiDocument());
  return new Map([[join(root, 'schema/generated/event-examples.json'), `${JSON.stringify(examples, null, 2)}\n`]]);
}

function main(flags: readonly string[]): number {
  if (flags.includes('--help')) {
    console.log(
      'Usage: node commands/openapi.ts [--check]\nWrites schema/generated/openapi/v<major>.json; --check writes nothing and fails when a file is stale.',
    );
    return 0;
  }
  const stale = [...openApiFiles()].filter(([file, text]) => !existsSync(file) || readFileSync(file, 'utf8') !== text);
  for (const [file, text] of stale) {
    const name = relative(root, file);
    if (flags.includes('--check')) {
      console.error(`stale: ${name} (run \`npm run schema\`)`);
      continue;
    }
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    console.log(`wrote ${name}`);
  }
  return flags.includes('--check') && stale.length > 0 ? 1 : 0;
}

if (import.meta.main) process.exitCode = main(process.argv.slice(2));
