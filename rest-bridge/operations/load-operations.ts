/** Loads the REST API: reads rest-bridge/v<major>/*.graphql, checks it against the API schema, and creates the operations. */
import { readdirSync, readFileSync } from 'node:fs';
import { Kind, parse, Source, specifiedRules, validate } from 'graphql';
import type { DefinitionNode, FragmentDefinitionNode, GraphQLError, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import { withRestDirectives } from './rest-directive.ts';
import { optionalFieldsOf, topFields, usedFragments } from './documents.ts';
import { expandScalars } from './scalar-fields.ts';
import { readOperation } from './operation.ts';
import type { Operation } from './operation.ts';
import { versions } from '../versions.ts';
import type { Major } from '../versions.ts';

/** The annotated texts of one major version, by file name. */
export type Sources = ReadonlyMap<string, string>;

/** Reads the operations of a major version from its folder. */
function readSources(major: number): Sources {
  const folder = new URL(`../v${major}/`, import.meta.url);
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.graphql'))
    .sort();
  return new Map(files.map((file) => [`rest-bridge/v${major}/${file}`, readFileSync(new URL(file, folder), 'utf8')]));
}

/**
 * Every operation of every major version.
 * Throws an AggregateError with one Error per violation.
 */
export function loadOperations(apiSchema: GraphQLSchema, table: readonly Major[] = versions): Operation[] {
  return table.flatMap(({ major }) => readOperations(apiSchema, major, readSources(major)));
}

/** Like loadOperations, without validating texts that `npm run schema` has validated: validation takes almost half of the time. */
export function loadCheckedOperations(apiSchema: GraphQLSchema): Operation[] {
  return versions.flatMap(({ major }) => readOperations(apiSchema, major, readSources(major), { isChecked: true }));
}

/** The documents of operations by id, for the router to register; each is printed on first use. */
export function documentsOf(operations: readonly Operation[]): ReadonlyMap<string, () => string> {
  return new Map(operations.flatMap((operation) => operation.documents.map(({ id, text }) => [id, text] as const)));
}

/** Reads the annotated texts of one major version, whose files share their fragments. Throws as loadOperations does. */
export function readOperations(
  apiSchema: GraphQLSchema,
  major: number,
  sources: Sources,
  { isChecked = false } = {},
): Operation[] {
  const schema = withRestDirectives(apiSchema);
  const annotated = [...sources].flatMap(([file, text]) => parse(new Source(text, file)).definitions);
  const definitions = expandScalars(schema, annotated);
  const nodes = definitions.filter((node): node is OperationDefinitionNode => node.kind === Kind.OPERATION_DEFINITION);
  const fragments = new Map(
    definitions
      .filter((node): node is FragmentDefinitionNode => node.kind === Kind.FRAGMENT_DEFINITION)
      .map((node) => [node.name.value, node]),
  );
  // all at once: validating the shared fragments with each operation dominated the startup time
  const invalid = isChecked ? [] : validate(schema, { kind: Kind.DOCUMENT, definitions }, specifiedRules);
  const invalidDefinitions = new Set(invalid.flatMap((error) => definitions.filter((definition) => isIn(error, definition))));
  const failures: Error[] = [...invalid];
  const operations: Operation[] = [];
  for (const node of nodes) {
    const reached = [node, ...usedFragments(node, fragments)];
    if (reached.some((definition) => invalidDefinitions.has(definition))) continue;
    try {
      const operation = readOperation(schema, major, node, fragments);
      failures.push(...misplacedOptionalFields(operation, reached));
      operations.push(operation);
    } catch (error) {
      failures.push(error instanceof Error ? error : new Error(String(error)));
    }
  }
  failures.push(...duplicateRoutes(operations));
  if (failures.length > 0)
    throw new AggregateError(failures, `The REST operations of v${major} are invalid:\n${failures.map(String).join('\n')}`);
  return operations;
}

/** Whether an error is located in a definition. */
function isIn(error: GraphQLError, { loc }: DefinitionNode): boolean {
  return (error.nodes ?? []).some(
    (node) => node.loc !== undefined && loc?.source === node.loc.source && loc.start <= node.loc.start && node.loc.end <= loc.end,
  );
}

function misplacedOptionalFields(
  operation: Operation,
  reached: readonly (OperationDefinitionNode | FragmentDefinitionNode)[],
): Error[] {
  const allowed = new Set(topFields(operation.resource.selectionSet, operation.fragments));
  return reached
    .flatMap(optionalFieldsOf)
    .filter((field) => !allowed.has(field))
    .map(
      (field) =>
        new Error(
          `REST operation ${operation.name} marks ${field.name.value} as @optional, which is possible only for top-level members`,
        ),
    );
}

/** Operations with the same route; GraphQL validation already rejects duplicate names. */
function duplicateRoutes(operations: readonly Operation[]): Error[] {
  const routes = new Map<string, string>();
  return operations.flatMap(({ name, method, path }) => {
    const route = `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`;
    const other = routes.get(route);
    routes.set(route, name);
    return other === undefined ? [] : [new Error(`REST operation ${name} has the same route as ${other}: ${route}`)];
  });
}
