/** The reference executor: interprets the plan with `executeQueryPlan` of @apollo/gateway (docs/decisions/0002). */
import { createRequire } from 'node:module';
import type * as ExecuteQueryPlanFile from '@apollo/gateway/dist/executeQueryPlan.js';
import { ROUTER_SUPPORTED_SUPERGRAPH_FEATURES, Supergraph } from '@apollo/federation-internals';
import type { GatewayGraphQLRequestContext } from '@apollo/server-gateway-interface';
import { Kind, parse } from 'graphql';
import type { FragmentDefinitionNode, GraphQLError } from 'graphql';
import type { Logger } from 'pino';
import type { GraphFault, Notes } from '../../schema/door.ts';
import { Problem } from '../../schema/errors.ts';
import type { SubgraphAnswer, SubgraphClient } from '../../schema/subgraph-client.ts';
import type { ExecutionRequest, Executor } from './executor.ts';
import { publicFault } from './faults.ts';

// Not exported from the package's entry point; CommonJS, so its file is loaded by path.
const { executeQueryPlan } = createRequire(import.meta.url)(
  '@apollo/gateway/dist/executeQueryPlan.js',
) as typeof ExecuteQueryPlanFile;

type ServiceMap = Parameters<typeof executeQueryPlan>[1];
type DataSource = ServiceMap[string];
type DataSourceAnswer = Awaited<ReturnType<DataSource['process']>>;

/** What one fetch knows of its execution; it travels in the request context. */
interface FetchContext {
  readonly run: ExecutionRequest;
  readonly notes: Notes;
  /** Types of which an area had no entity to show. */
  readonly absent: Set<string>;
}

/** Notes the types of entities that are not there for this viewer: a reference to what is hidden is null, not a fault. */
function noteAbsent(absent: Set<string>, variables: Readonly<Record<string, unknown>>, data: SubgraphAnswer['data']): void {
  const entities = data?.['_entities'];
  if (!Array.isArray(entities)) return;
  const representations = variables['representations'] as readonly { readonly __typename: string }[];
  for (const [index, { __typename: type }] of representations.entries()) if (entities[index] === null) absent.add(type);
}

/** True for a member that is missing because its entity is absent, where the reference itself could become null. */
function isAbsence({ message, path = [] }: GraphQLError, absent: ReadonlySet<string>, data: unknown): boolean {
  const [, type = ''] = /^Cannot return null for non-nullable field (\w+)\./.exec(message) ?? [];
  if (!absent.has(type)) return false;
  const at = (place: readonly (string | number)[]): unknown =>
    place.reduce((value: unknown, key) => (value as Record<string | number, unknown> | null | undefined)?.[key], data);
  return at(path.slice(0, -1)) === null && (at(path.slice(0, -2)) ?? null) !== null;
}

function fragmentsOf(run: ExecutionRequest): Record<string, FragmentDefinitionNode> {
  const fragments = run.document.definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
  return Object.fromEntries(fragments.map((fragment) => [fragment.name.value, fragment]));
}

/** Where the answer lacks what a fetch was to give: at each root field it asks, and for entities where they are, which the interpreter knows. */
function lackingPaths(query: string): string[][] {
  const roots = parse(query).definitions.flatMap((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION ? definition.selectionSet.selections : [],
  );
  const names = roots.flatMap((root) => (root.kind === Kind.FIELD ? [(root.alias ?? root.name).value] : []));
  const paths = names.filter((name) => name !== '_entities').map((name) => [name]);
  return paths.length === 0 ? [[]] : paths;
}

/** An unreachable area is an error of its part of the answer, not of the whole. */
async function ask(client: SubgraphClient, request: Parameters<SubgraphClient['query']>[0]): Promise<SubgraphAnswer> {
  try {
    return await client.query(request);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { message, extensions } = error;
    return { data: null, errors: lackingPaths(request.query).map((path) => ({ message, path, extensions })) };
  }
}

function dataSource(client: SubgraphClient): DataSource {
  return {
    async process({ request, context }) {
      const { run, notes, absent } = context as unknown as FetchContext;
      const answer = await ask(client, {
        query: request.query ?? '',
        // The interpreter's variables have no prototype; areas expect plain objects.
        variables: { ...request.variables },
        operationName: request.operationName ?? null,
        viewer: run.viewer,
        requestId: run.requestId,
        signal: run.signal,
      });
      Object.assign(notes, answer.extensions?.notes);
      if (!answer.errors?.length) noteAbsent(absent, request.variables ?? {}, answer.data);
      // The interpreter reads data, and of errors only message, path and extensions.
      return { data: answer.data, errors: answer.errors } as unknown as DataSourceAnswer;
    },
  };
}

/** Executes plans of this supergraph over the given areas. */
export function createApolloExecutor(options: {
  readonly supergraphSdl: string;
  readonly subgraphs: Readonly<Partial<Record<string, SubgraphClient>>>;
  readonly log: Logger;
}): Executor {
  const supergraph = Supergraph.build(options.supergraphSdl, { supportedFeatures: ROUTER_SUPPORTED_SUPERGRAPH_FEATURES });
  const supergraphSchema = supergraph.schema.toGraphQLJSSchema();
  const apiSchema = supergraph.apiSchema();
  const sources: ServiceMap = Object.fromEntries(
    Object.entries(options.subgraphs).flatMap(([area, client]) => (client === undefined ? [] : [[area, dataSource(client)]])),
  );
  return {
    async execute(run) {
      const notes: Notes = {};
      const context: FetchContext = { run, notes, absent: new Set() };
      // Only what executeQueryPlan reads of Apollo's request context.
      const requestContext = {
        request: { variables: run.variables },
        context,
        metrics: {},
        logger: options.log,
      } as unknown as GatewayGraphQLRequestContext;
      const operationContext = { schema: run.schema, operation: run.operation, fragments: fragmentsOf(run) };
      const result = await executeQueryPlan(run.plan, sources, requestContext, operationContext, supergraphSchema, apiSchema);
      const incomplete = result.extensions?.['valueCompletion'] as readonly GraphQLError[] | undefined;
      const broken = incomplete?.filter((error) => !isAbsence(error, context.absent, result.data)) ?? [];
      const errors: GraphFault[] = [...(result.errors ?? []), ...broken].map((error) =>
        publicFault(error, options.log, run.requestId),
      );
      return { data: result.data ?? null, errors, notes };
    },
  };
}
