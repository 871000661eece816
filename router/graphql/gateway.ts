/** A GatewayInterface: Apollo Server parses and validates, the graph plans and executes (docs/decisions/0002). */
import { HeaderMap } from '@apollo/server';
import type { GatewayInterface } from '@apollo/server-gateway-interface';
import { GraphQLError } from 'graphql';
import type { Area } from '../../schema/areas.ts';
import type { GraphError } from '../../schema/entry-point.ts';
import { errors, Problem } from '../../schema/errors.ts';
import type { Viewer } from '../../schema/viewer.ts';
import type { WriteAccess } from '../admission/rejection.ts';
import type { Audience, GraphOperation, RouterGraph } from '../graph.ts';
import { operationKey } from '../operations/operation-key.ts';
import type { OperationKey } from '../operations/operation-key.ts';
import { recordedName } from './operation-name.ts';

/** The context value of a request, from the HTTP layer to the executor. */
export interface GraphqlContext {
  readonly viewer: Viewer;
  /** Write access as of the last charge. */
  readonly writes: WriteAccess;
  readonly requestId: string;
  readonly signal: AbortSignal;
  /** Called for each operation before it is prepared, with whether it is new to this process; throws the Problem of a rejection. */
  readonly checkNewOperation: (key: OperationKey, isNew: boolean) => void;
  /** Records the area and the client's operation name, before anything else can reject the operation. */
  readonly setOperation: (area: Area | null, name: string | null) => void;
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

/** The graph as a gateway for one audience; stopping it leaves the graph open. */
export function createGateway(graph: RouterGraph, audience: Audience, schemaText: string): GatewayInterface {
  const callbacks = new Set<Parameters<GatewayInterface['onSchemaLoadOrUpdate']>[0]>();
  return {
    onSchemaLoadOrUpdate(callback) {
      callbacks.add(callback);
      return () => callbacks.delete(callback);
    },
    load() {
      for (const callback of callbacks) callback({ apiSchema: graph.schema(audience), coreSupergraphSdl: schemaText });
      return Promise.resolve({
        async executor({ source, document, operationName, request, context }) {
          // Cast: the gateway interface does not pass the context type of its server (api.ts)
          const scope = context as unknown as GraphqlContext;
          const { viewer, requestId, signal, checkNewOperation, setOperation, charge } = scope;
          const operation = {
            text: source,
            document,
            operationName: request.operationName ?? null,
            audience,
          } satisfies GraphOperation;
          const variables = request.variables ?? {};
          try {
            const key = operationKey(operation);
            checkNewOperation(key, !graph.isPrepared(key));
            setOperation(graph.area(operation), operationName ? recordedName(operationName) : null);
            graph.permit(operation, viewer, scope.writes);
            await charge(graph.cost(operation, variables));
            const { data, errors: failures } = await graph.execute(operation, {
              variables,
              viewer,
              writes: scope.writes,
              requestId,
              signal,
            });
            return failures.length === 0 ? { data } : { data, errors: failures.map(toGraphQLError) };
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
