/** The REST API: reads rest-bridge/v<major>/*.graphql, checks it against the API schema, and makes route values of it. */
import { readdirSync, readFileSync } from 'node:fs';
import { Kind, parse, Source, specifiedRules, validate } from 'graphql';
import type { DefinitionNode, FragmentDefinitionNode, GraphQLError, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import { withRestDirectives } from './directives.ts';
import { optionalsIn, topFields, usedFragments } from './documents.ts';
import { readOperation } from './operation.ts';
import type { Operation } from './operation.ts';
import { versions } from '../versions.ts';
import type { Major } from '../versions.ts';

/** The annotated text of one major, by file name. */
export type Sources = ReadonlyMap<string, string>;

/** Reads the operations of a major from its folder. */
export function readSources(major: number): Sources {
  const folder = new URL(`../v${major}/`, import.meta.url);
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.graphql'))
    .sort();
  return new Map(files.map((file) => [`rest-bridge/v${major}/${file}`, readFileSync(new URL(file, folder), 'utf8')]));
}

/**
 * Every operation of every major, ready to be served and registered.
 * Throws an AggregateError that holds one Error per fault, so that all are seen at once.
 */
export function loadOperations(apiSchema: GraphQLSchema, table: readonly Major[] = versions): Operation[] {
  return table.flatMap(({ major }) => readOperations(apiSchema, major, readSources(major)));
}

/** As loadOperations, of texts that `npm run schema` found to be right: to check them against the schema again takes nearly half of the time. */
export function loadCheckedOperations(apiSchema: GraphQLSchema): Operation[] {
  return versions.flatMap(({ major }) => readOperations(apiSchema, major, readSources(major), { isChecked: true }));
}

/** The documents of operations by id, as the router registers them: each is written when it is asked for. */
export function documentsOf(operations: readonly Operation[]): ReadonlyMap<string, () => string> {
  return new Map(operations.flatMap((operation) => operation.documents.map(({ id, text }) => [id, text] as const)));
}

/** Compiles the annotated texts of one major; fragments are shared by all its files. Throws as loadOperations does. */
export function readOperations(
  apiSchema: GraphQLSchema,
  major: number,
  sources: Sources,
  { isChecked = false } = {},
): Operation[] {
  const schema = withRestDirectives(apiSchema);
  const definitions = [...sources].flatMap(([file, text]) => parse(new Source(text, file)).definitions);
  const nodes = definitions.filter((node): node is OperationDefinitionNode => node.kind === Kind.OPERATION_DEFINITION);
  const fragments = new Map(
    definitions
      .filter((node): node is FragmentDefinitionNode => node.kind === Kind.FRAGMENT_DEFINITION)
      .map((node) => [node.name.value, node]),
  );
  // all at once: fragments are shared, and to check them with each operation took most of a start
  const invalid = isChecked ? [] : validate(schema, { kind: Kind.DOCUMENT, definitions }, specifiedRules);
  const faulty = new Set(invalid.flatMap((violation) => definitions.filter((definition) => isIn(violation, definition))));
  const violations: Error[] = [...invalid];
  const operations: Operation[] = [];
  for (const node of nodes) {
    const reached = [node, ...usedFragments(node, fragments)];
    if (reached.some((definition) => faulty.has(definition))) continue;
    try {
      const operation = readOperation(schema, major, node, fragments);
      violations.push(...misplacedOptionals(operation, reached));
      operations.push(operation);
    } catch (violation) {
      violations.push(violation as Error);
    }
  }
  violations.push(...clashes(operations));
  if (violations.length > 0)
    throw new AggregateError(violations, `The REST operations of v${major} are not right:\n${violations.map(String).join('\n')}`);
  return operations;
}

/** Whether a fault was found in a definition. */
function isIn(violation: GraphQLError, { loc }: DefinitionNode): boolean {
  return (violation.nodes ?? []).some(
    (node) => node.loc !== undefined && loc?.source === node.loc.source && loc.start <= node.loc.start && node.loc.end <= loc.end,
  );
}

function misplacedOptionals(
  operation: Operation,
  reached: readonly (OperationDefinitionNode | FragmentDefinitionNode)[],
): Error[] {
  const allowed = new Set(topFields(operation.resource.selectionSet, operation.fragments));
  return reached
    .flatMap(optionalsIn)
    .filter((field) => !allowed.has(field))
    .map(
      (field) =>
        new Error(
          `REST operation ${operation.name}: ${field.name.value} is @optional, but only top-level members of the resource can be`,
        ),
    );
}

/** Two operations at one place; that no two have one name is a rule of GraphQL. */
function clashes(operations: readonly Operation[]): Error[] {
  const seen = new Map<string, string>();
  return operations.flatMap(({ name, method, path }) => {
    const place = `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`;
    const taken = seen.get(place);
    seen.set(place, name);
    return taken === undefined ? [] : [new Error(`REST operation ${name}: ${place} is taken by ${taken}`)];
  });
}
