/** The REST operations over the public schema, loaded once per process. */
import { loadCheckedOperations } from '../rest-bridge/operations/load-operations.ts';
import type { Operation } from '../rest-bridge/operations/operation.ts';
import { streamedOperation, streamPathOf } from '../rest-bridge/streams/stream-handler.ts';
import { versionPath } from '../rest-bridge/versions.ts';
import { loadSupergraph } from '../router/supergraph.ts';
import { executableSchema } from '../schema/executable.ts';

type RestApi = Readonly<{ schema: ReturnType<typeof executableSchema>; operations: readonly Operation[] }>;

let api: RestApi | null = null;

/** The public schema and every REST operation over it. Throws as loadCheckedOperations does. */
export function restApi(): RestApi {
  if (api === null) {
    const schema = executableSchema(loadSupergraph().schemas.public);
    api = { schema, operations: loadCheckedOperations(schema) };
  }
  return api;
}

/** The paths of REST operations by `operationId`, with that of the event stream. */
export function routesOf(operations: readonly Operation[]): ReadonlyMap<string, string> {
  const routes = operations.map(({ name, major, path }) => [name, versionPath(major) + path] as const);
  const streamed = routes
    .filter(([name]) => name === streamedOperation)
    .map(([, path]) => ['streamEvents', streamPathOf(path)] as const);
  return new Map([...routes, ...streamed]);
}
