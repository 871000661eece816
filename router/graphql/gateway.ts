/** A GatewayInterface: Apollo Server parses and validates, the graph plans and executes (docs/decisions/0002). */
import { HeaderMap } from '@apollo/server';
import type { GatewayInterface } from '@apollo/server-gateway-interface';
import type { FastifyReply } from 'fastify';
import { GraphQLError, Kind, OperationTypeNode, type DocumentNode, type GraphQLFormattedError } from 'graphql';
import type { Area } from '../../schema/areas.ts';
import type { GraphError } from '../../schema/entry-point.ts';
import { errors, Problem } from '../../schema/errors.ts';
import type { Viewer } from '../../schema/viewer.ts';
import type { RateLimit } from '../admission/quota/rate-limit.ts';
import type { WriteAccess } from '../admission/rejection.ts';
import type { Audience, GraphOperation, RouterGraph } from '../graph.ts';
import type { GraphVersions } from '../reloadable-graph.ts';
import type { OperationKey } from '../operations/operation-key.ts';
import { incrementalFormat, type IncrementalResponse } from './incremental-response.ts';
import { recordedName } from './operation-name.ts';

/** The context value of a request, from the HTTP layer to the executor. */
export interface GraphqlContext {
  readonly viewer: Viewer;
  /** Write access as of the last charge. */
  readonly writes: WriteAccess;
  readonly requestId: string;
  /** The reply of the request. */
  readonly reply: FastifyReply;
  readonly signal: AbortSignal;
  /** Whose expensive operations are limited; null for administrators. */
  readonly caller: string | null;
  /** Called for each operation before it is prepared, with whether this process must plan it; throws the Problem of a rejection. */
  readonly checkNewOperation: (key: OperationKey, isNew: boolean) => void;
  /** Sends the response of the executor as the first part. */
  readonly deliverInParts: (response: IncrementalResponse) => void;
  /** Records the area and the client's operation name, before anything else can reject the operation. */
  readonly setOperation: (area: Area | null, name: string | null) => void;
  /** Records the errors of a document that failed to parse or to validate, by the SHA-256 of its text in hex. */
  readonly recordInvalid: (hash: string, size: number, errors: readonly GraphQLFormattedError[]) => void;
  /** The value of the root field `rateLimit` as of the last charge. */
  readonly rateLimit: (points: number) => RateLimit | null;
  /** Whether the client requested the cost of the operation in `extensions`. */
  readonly includesCost: boolean;
  /** Charges the units that the operation costs beyond the first; throws the Problem of a rejection. */
  readonly charge: (cost: number) => Promise<void>;
}

/** Nothing was executed: the problem also decides the HTTP status. */
function rejectedBy(problem: Problem): GraphQLError {
  const { status } = errors[problem.code];
  const headers = new HeaderMap(status === 503 ? [['retry-after', '1']] : []);
  return new GraphQLError(problem.message, { extensions: { ...problem.extensions, http: { status, headers } } });
}

const toGraphQLError = ({ message, path, extensions }: GraphError): GraphQLError =>
  new GraphQLError(message, { ...(path === undefined ? {} : { path }), extensions: { ...extensions } });

const subscriptionAdvice =
  'Subscriptions do not run at this path. Send them to /graphql/stream, or over a WebSocket to /graphql/ws.';

const isSubscription = ({ definitions }: DocumentNode, operationName: string | null): boolean =>
  definitions.some(
    (node) =>
      node.kind === Kind.OPERATION_DEFINITION &&
      node.operation === OperationTypeNode.SUBSCRIPTION &&
      (operationName === null || node.name?.value === operationName),
  );

export interface GatewayOptions {
  readonly graph: RouterGraph;
  readonly audience: Audience;
  /** The schema of the audience. */
  readonly schemaText: string;
  readonly versions: GraphVersions | undefined;
}

/** The graph as a gateway for one audience; stopping it leaves the graph open. A reload replaces the schema of Apollo Server. */
export function createGateway({ graph: current, audience, schemaText, versions }: GatewayOptions): GatewayInterface {
  const callbacks = new Set<Parameters<GatewayInterface['onSchemaLoadOrUpdate']>[0]>();
  const publish = (): void => {
    const coreSupergraphSdl = versions?.schemas()[audience] ?? schemaText;
    for (const callback of callbacks) callback({ apiSchema: current.schema(audience), coreSupergraphSdl });
  };
  versions?.onReload(publish);
  return {
    onSchemaLoadOrUpdate(callback) {
      callbacks.add(callback);
      return () => callbacks.delete(callback);
    },
    load() {
      publish();
      return Promise.resolve({
        async executor({ source, document, operationName, request, context, schema }) {
          // a document is executed by the graph that validated it
          const graph = versions?.graphOf(schema) ?? current;
          // Cast: the gateway interface does not pass the context type of its server (api.ts)
          const scope = context as unknown as GraphqlContext;
          const { viewer, requestId, signal, caller, checkNewOperation, setOperation, charge, rateLimit } = scope;
          const operation = {
            text: source,
            document,
            operationName: request.operationName ?? null,
            audience,
          } satisfies GraphOperation;
          const variables = request.variables ?? {};
          try {
            if (isSubscription(document, operation.operationName)) throw new Problem('operation_unknown', subscriptionAdvice);
            const { key, isNew } = graph.variantOf(operation, variables);
            checkNewOperation(key, isNew);
            setOperation(graph.area(operation), operationName ? recordedName(operationName) : null);
            graph.permit(operation, viewer, scope.writes);
            const units = graph.cost(operation, variables);
            await charge(units);
            // the actual cost is known after the last part
            const format = scope.includesCost ? null : incrementalFormat(scope.reply.request.headers.accept);
            const execution = await graph.execute(operation, {
              variables,
              viewer,
              writes: scope.writes,
              requestId,
              signal,
              caller,
              rateLimit,
              isIncremental: format !== null,
            });
            const { data, errors: failures, later } = execution;
            if (format !== null && later !== undefined) scope.deliverInParts({ format, later });
            const result = failures.length === 0 ? { data } : { data, errors: failures.map(toGraphQLError) };
            if (!scope.includesCost) return result;
            return { ...result, extensions: { cost: { ...graph.costOf(operation, variables, data), units } } };
          } catch (error) {
            if (error instanceof Problem) return { errors: [rejectedBy(error)] };
            throw error;
          }
        },
      });
    },
    stop: () => Promise.resolve(),
  };
}
