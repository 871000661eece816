/** The reference executor: `executeQueryPlan` of @apollo/gateway (docs/decisions/0002). */
import { ROUTER_SUPPORTED_SUPERGRAPH_FEATURES, Supergraph } from '@apollo/federation-internals';
import type { QueryPlan } from '@apollo/query-planner';
import type { GatewayGraphQLRequestContext } from '@apollo/server-gateway-interface';
import { isAbstractType, isObjectType, Kind } from 'graphql';
import type { FragmentDefinitionNode, GraphQLError } from 'graphql';
import type { Logger } from 'pino';
import type { ExecutionRequest } from '../../router/executor/executor.ts';
import { publicError } from '../../router/executor/execution-error.ts';
import type { GraphError } from '../../schema/entry-point.ts';
import type { SubgraphClient } from '../../schema/subgraph-client.ts';
import { sendReferenceFetch, executeQueryPlan, type ReferenceRun } from './reference-fetch.ts';

type ServiceMap = Parameters<typeof executeQueryPlan>[1];
type DataSource = ServiceMap[string];
type DataSourceAnswer = Awaited<ReturnType<DataSource['process']>>;

/** A response of the reference. */
export interface ReferenceAnswer {
  readonly data: Record<string, unknown> | null;
  /** Errors of subgraphs. */
  readonly errors: readonly GraphError[];
  /** Errors of non-nullable fields without a value. The interpreter reports them only without subgraph errors. */
  readonly incomplete: readonly GraphError[];
  /** Types of missing entities. */
  readonly absent: ReadonlySet<string>;
}

export interface Reference {
  /** Executes a plan of the stock planner; that of the request is not used. */
  execute(request: ExecutionRequest, plan: QueryPlan): Promise<ReferenceAnswer>;
}

function fragmentsOf(run: ExecutionRequest): Record<string, FragmentDefinitionNode> {
  const fragments = run.document.definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
  return Object.fromEntries(fragments.map((fragment) => [fragment.name.value, fragment]));
}

/** Creates an executor of query plans over the subgraphs. */
export function createReference(options: {
  readonly supergraphSdl: string;
  readonly subgraphs: Readonly<Partial<Record<string, SubgraphClient>>>;
  readonly log: Logger;
}): Reference {
  const supergraph = Supergraph.build(options.supergraphSdl, { supportedFeatures: ROUTER_SUPPORTED_SUPERGRAPH_FEATURES });
  const supergraphSchema = supergraph.schema.toGraphQLJSSchema();
  const apiSchema = supergraph.apiSchema();
  const source = (client: SubgraphClient): DataSource => ({
    async process(options) {
      const { request, context } = options;
      // part of the type of an incoming operation
      const path = 'pathInIncomingRequest' in options ? (options.pathInIncomingRequest ?? []) : [];
      const response = await sendReferenceFetch(supergraphSchema, client, context as unknown as ReferenceRun, request, path);
      // the interpreter reads only data and the message, path and extensions of errors
      return response as unknown as DataSourceAnswer;
    },
  });
  const sources: ServiceMap = Object.fromEntries(
    Object.entries(options.subgraphs).flatMap(([area, client]) => (client === undefined ? [] : [[area, source(client)]])),
  );
  /** Adds the types of an interface: subgraphs may return the interface, and messages name the type of the fragment. */
  function withTypes(name: string): string[] {
    const type = supergraphSchema.getType(name);
    const within = isAbstractType(type) ? supergraphSchema.getPossibleTypes(type) : [];
    return [
      name,
      ...within.map((each) => each.name),
      ...(isObjectType(type) ? type.getInterfaces().map((each) => each.name) : []),
    ];
  }

  return {
    async execute(run, plan) {
      const context: ReferenceRun = { request: run, absent: new Set(), data: {} };
      // the part of Apollo's request context that executeQueryPlan reads
      const requestContext = {
        request: { variables: run.variables },
        context,
        metrics: {},
        logger: options.log,
      } as unknown as GatewayGraphQLRequestContext;
      const operationContext = { schema: run.schema, operation: run.operation, fragments: fragmentsOf(run) };
      const result = await executeQueryPlan(plan, sources, requestContext, operationContext, supergraphSchema, apiSchema);
      const reported = (errors: readonly GraphQLError[] = []): GraphError[] =>
        errors.map((error) => publicError(error, options.log, run.requestId));
      return {
        data: result.data ?? null,
        errors: reported(result.errors),
        // with messages, which are compared
        incomplete: ((result.extensions?.['valueCompletion'] ?? []) as readonly GraphQLError[]).map(({ message, path = [] }) => ({
          message,
          path,
          extensions: { code: 'internal' },
        })),
        absent: new Set([...context.absent].flatMap(withTypes)),
      };
    },
  };
}
