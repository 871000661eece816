/**
 * Fetches of the reference executor. Known bugs of the stock interpreter, which our executor does not have, are corrected here, so that
 * everything else can be compared exactly:
 * - It computes the path of an entity error from the index of the representation among all entities at the path. When some entities have no
 *   representation (another type, a missing field), the path is that of another entity.
 * - A subgraph that knows an entity only by its interface (@interfaceObject) returns the name of the interface as `__typename`. The
 *   interpreter uses it as the type and loses the concrete type.
 * - It sends a fetch although @skip and @include exclude all its fields, and reports the errors of that fetch.
 * - A subgraph that does not respond causes an error without a path.
 */
import { createRequire } from 'node:module';
import type * as ExecuteQueryPlanFile from '@apollo/gateway/dist/executeQueryPlan.js';
import { getDirectiveValues, GraphQLIncludeDirective, GraphQLSkipDirective, isObjectType, Kind, parse } from 'graphql';
import type { FieldNode, FragmentDefinitionNode, GraphQLSchema, SelectionSetNode } from 'graphql';
import type { ExecutionRequest } from '../../router/executor/executor.ts';
import { Problem } from '../../schema/errors.ts';
import type { SubgraphResponse, SubgraphClient } from '../../schema/subgraph-client.ts';

type Path = (string | number)[];
type Members = Record<string, unknown>;

export const { executeQueryPlan, generateHydratedPaths } = createRequire(import.meta.url)(
  '@apollo/gateway/dist/executeQueryPlan.js',
  // CommonJS, and not exported from the entry point of the package
) as typeof ExecuteQueryPlanFile;

/** One execution of the reference. */
export interface ReferenceRun {
  readonly request: ExecutionRequest;
  /** Types of missing entities. */
  readonly absent: Set<string>;
  /** The data of root fetches, which the interpreter continues with. */
  readonly data: Members;
}

interface Request {
  readonly query?: string | undefined;
  readonly variables?: Members | undefined;
  readonly operationName?: string | undefined;
}

interface SelectedField {
  readonly field: FieldNode;
  /** The enclosing type condition. */
  readonly on: string | null;
}

/** The direct fields of a selection, without those that @skip and @include exclude. */
function fieldsOf(text: string, variables: Members): { roots: SelectedField[]; within: (field: FieldNode) => SelectedField[] } {
  const { definitions } = parse(text);
  const named = (name: string): FragmentDefinitionNode | undefined =>
    definitions.find((each) => each.kind === Kind.FRAGMENT_DEFINITION && each.name.value === name) as FragmentDefinitionNode;
  const inside = ({ selections }: SelectionSetNode, on: string | null): SelectedField[] =>
    selections.flatMap((each) => {
      const skip = getDirectiveValues(GraphQLSkipDirective, each, variables);
      const include = getDirectiveValues(GraphQLIncludeDirective, each, variables);
      if (skip?.['if'] === true || include?.['if'] === false) return [];
      if (each.kind === Kind.FIELD) return [{ field: each, on }];
      const body = each.kind === Kind.INLINE_FRAGMENT ? each : named(each.name.value);
      return body === undefined ? [] : inside(body.selectionSet, body.typeCondition?.name.value ?? on);
    });
  return {
    roots: definitions.flatMap((each) => (each.kind === Kind.OPERATION_DEFINITION ? inside(each.selectionSet, null) : [])),
    within: ({ selectionSet }) => (selectionSet === undefined ? [] : inside(selectionSet, null)),
  };
}

/** Adds the defaults of absent variables, which conditions may refer to. */
function withDefaults(text: string, given: Members): Members {
  const [operation] = parse(text).definitions;
  if (operation?.kind !== Kind.OPERATION_DEFINITION) return given;
  const defaults = (operation.variableDefinitions ?? []).flatMap(({ variable, defaultValue }) =>
    defaultValue?.kind === Kind.BOOLEAN ? [[variable.name.value, defaultValue.value] as const] : [],
  );
  return { ...Object.fromEntries(defaults), ...given };
}

const at = (data: unknown, path: Path): unknown =>
  path.reduce((value: unknown, key) => (value as Record<string | number, unknown> | null | undefined)?.[key], data);

/** For each representation, the index of its entity among all entities at the path. Both are in the same order. */
function ownersOf(schema: GraphQLSchema, data: Members, path: Path, representations: readonly Members[]): number[] {
  const places: Path[] = [];
  generateHydratedPaths([], path, data, places);
  const entities = places.map((place) => at(data, place) as Members);
  const represents = (representation: Members, entity: Members): boolean =>
    Object.entries(representation).every(([key, value]) => {
      if (key === '__typename' && !isObjectType(schema.getType(String(value)))) return true;
      return typeof value === 'object' ? key in entity : entity[key] === value;
    });
  let next = 0;
  return representations.map((representation) => {
    while (next < entities.length && !represents(representation, entities[next] ?? {})) next += 1;
    return next++;
  });
}

/**
 * Sends one fetch of the reference. The error of a subgraph that does not respond gets the path of the fetch, and so do entity errors without
 * a path: the reference reports no path for them, but our executor does.
 */
export async function sendReferenceFetch(
  schema: GraphQLSchema,
  client: SubgraphClient,
  run: ReferenceRun,
  { query = '', variables = {}, operationName = '' }: Request,
  path: Path,
): Promise<SubgraphResponse> {
  const { roots, within } = fieldsOf(query, withDefaults(query, variables));
  const entities = roots.find(({ field }) => field.name.value === '_entities');
  const isInformative = ({ field, on }: SelectedField): boolean =>
    field.name.value !== '__typename' || !isObjectType(schema.getType(on ?? ''));
  if (entities !== undefined && !within(entities.field).some(isInformative)) return { data: null };
  const { viewer, requestId, signal } = run.request;
  const response = await client
    .query({
      query,
      // the variables of the interpreter have no prototype, and subgraphs expect plain objects
      variables: { ...variables },
      operationName: operationName || null,
      viewer,
      requestId,
      signal,
    })
    .catch((error: unknown): SubgraphResponse => {
      const { message, extensions } = error instanceof Problem ? error : { message: String(error), extensions: {} };
      const keys = new Set(roots.map(({ field }) => (field.alias ?? field.name).value));
      const paths = entities === undefined ? [...keys].map((key) => [key]) : [[]];
      return { data: null, errors: paths.map((each) => ({ message, path: each, extensions })) };
    });
  if (entities === undefined) {
    for (const [key, value] of Object.entries(response.data ?? {})) run.data[key] ??= value;
    return response;
  }
  const representations = variables['representations'] as readonly Members[];
  const received = (response.data?.['_entities'] ?? []) as readonly (Members | null)[];
  for (const entity of received) if (!isObjectType(schema.getType(String(entity?.['__typename'])))) delete entity?.['__typename'];
  if (response.errors === undefined)
    for (const [index, entity] of received.entries())
      if (entity === null) run.absent.add(String(representations[index]?.['__typename']));
  const owners = ownersOf(schema, run.data, path, representations);
  const errors = response.errors?.map((error) => {
    const [first, index, ...rest] = error.path ?? [];
    if (error.path === undefined) return { ...error, path: [] };
    return typeof index !== 'number' ? error : { ...error, path: [first ?? '', owners[index] ?? index, ...rest] };
  });
  return errors === undefined ? response : { ...response, errors };
}
