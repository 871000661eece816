/** `npm run changes`: the breaking changes of the APIs since the last release, whose schemas are in schema/release. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema, findBreakingChanges as findGraphqlChanges } from 'graphql';
import { findBreakingChanges } from '../rest-bridge/documentation/breaking-changes.ts';
import { isRecord } from '../schema/records.ts';

const root = join(import.meta.dirname, '..');
const files = {
  openApi: { current: 'schema/generated/openapi/v1.json', released: 'schema/release/v1.json' },
  graphql: { current: 'schema/generated/api.graphql', released: 'schema/release/api.graphql' },
} as const;

const read = (file: string): string => readFileSync(join(root, file), 'utf8');

const documentOf = (text: string): Readonly<Record<string, unknown>> => {
  const document: unknown = JSON.parse(text);
  if (!isRecord(document)) throw new Error('An OpenAPI document is an object.');
  return document;
};

/** The breaking changes of both APIs since the last release, one text each. */
export function breakingChanges(): string[] {
  const rest = findBreakingChanges(documentOf(read(files.openApi.released)), documentOf(read(files.openApi.current)));
  const [before, after] = [buildSchema(read(files.graphql.released)), buildSchema(read(files.graphql.current))];
  return [...rest, ...findGraphqlChanges(before, after).map(({ description }) => `GraphQL: ${description}`)];
}

/** Makes the current schemas those of the last release. */
function release(): void {
  writeFileSync(join(root, files.openApi.released), `${JSON.stringify(documentOf(read(files.openApi.current)))}\n`);
  writeFileSync(join(root, files.graphql.released), read(files.graphql.current));
}

function main(flags: readonly string[]): number {
  if (flags.includes('--help')) {
    console.log(
      'Usage: npm run changes [-- --release]\nLists the breaking changes of REST and GraphQL since the last release, and fails if there are any.\n--release makes the current schemas those of the last release.',
    );
    return 0;
  }
  if (flags.includes('--release')) {
    release();
    return 0;
  }
  const changes = breakingChanges();
  for (const change of changes) console.log(change);
  if (changes.length === 0) console.log('No breaking changes since the last release.');
  return changes.length === 0 ? 0 : 1;
}

if (import.meta.main) process.exitCode = main(process.argv.slice(2));
