/** `npm run changes`: the breaking changes of the APIs since the last release, whose schemas are in schema/release. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ChangeType, CriticalityLevel, diff, type Change } from '@graphql-inspector/core';
import { buildSchema } from 'graphql';
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

/** Whether a change restricts the access to a field that exists: the library calls changes of directives dangerous. */
const restrictsAccess = ({ type, path = '', criticality }: Change): boolean =>
  criticality.level === CriticalityLevel.Dangerous &&
  type !== ChangeType.DirectiveUsageFieldDefinitionRemoved &&
  /\.@(?:authenticated|requiresScopes)(?:\.scopes)?$/.test(path);

/** The breaking changes between two texts of the GraphQL schema, one text each. */
export async function graphqlBreakingChanges(before: string, after: string): Promise<string[]> {
  const found = await diff(buildSchema(before), buildSchema(after));
  return found
    .filter((change) => change.criticality.level === CriticalityLevel.Breaking || restrictsAccess(change))
    .map(({ message, path }) => `GraphQL: ${message} (${path ?? ''})`);
}

/** The breaking changes of both APIs since the last release, one text each. */
export async function breakingChanges(): Promise<string[]> {
  const { openApi, graphql } = files;
  return [
    ...findBreakingChanges(documentOf(read(openApi.released)), documentOf(read(openApi.current))),
    ...(await graphqlBreakingChanges(read(graphql.released), read(graphql.current))),
  ];
}

/** Makes the current schemas those of the last release. */
function release(): void {
  writeFileSync(join(root, files.openApi.released), `${JSON.stringify(documentOf(read(files.openApi.current)))}\n`);
  writeFileSync(join(root, files.graphql.released), read(files.graphql.current));
}

async function main(flags: readonly string[]): Promise<number> {
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
  const changes = await breakingChanges();
  for (const change of changes) console.log(change);
  if (changes.length === 0) console.log('No breaking changes since the last release.');
  return changes.length === 0 ? 0 : 1;
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2));
