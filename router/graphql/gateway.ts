/** Our own GatewayInterface: Apollo Server parses and validates, our graph plans and executes (docs/decisions/0002). */
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
import { rememberedName } from './operation-name.ts';

/** What the door tells the executor of one request, as Apollo's context value. */
export interface GraphqlContext {
  readonly viewer: Viewer;
  /** As of the last charge. */
  readonly writes: WriteAccess;
  readonly requestId: string;
  readonly signal: AbortSignal;
  /** Told of each operation, and whether it is new to this process, before it is prepared; throws the Problem of a refusal. */
  readonly checkNewOperation: (key: OperationKey, isNew: boolean) => void;
  /** Told what the operation is about, and what its client calls it, before anything else can refuse it. */
  readonly setOperation: (area: Area | null, name: string | null) => void;
  /** Charges the units that the operation costs beyond the first; throws the Problem of a refusal. */
  readonly charge: (cost: number) => Promise<void>;
}

/** Nothing was run: the problem decides the HTTP status too. */
function refused(problem: Problem): GraphQLError {
  const { status } = errors[problem.code];
  const headers = new HeaderMap(status === 503 ? [['retry-after', '1']] : []);
  return new GraphQLError(problem.message, { extensions: { ...problem.extensions, http: { status, headers } } });
}

const partial = ({ message, path, extensions }: GraphError): GraphQLError =>
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
          const told = context as unknown as GraphqlContext;
          const { viewer, requestId, signal, checkNewOperation, setOperation, charge } = told;
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
            setOperation(graph.area(operation), operationName ? rememberedName(operationName) : null);
            graph.permit(operation, viewer, told.writes);
            await charge(graph.cost(operation, variables));
            const { data, errors: faults } = await graph.execute(operation, {
              variables,
              viewer,
              writes: told.writes,
              requestId,
              signal,
            });
            return faults.length === 0 ? { data } : { data, errors: faults.map(partial) };
          } catch (error) {
            if (error instanceof Problem) return { errors: [refused(error)] };
            throw error;
          }
        },
      });
    },
    stop: () => Promise.resolve(),
  };
}
