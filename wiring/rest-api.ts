/** The REST operations over the public schema, loaded once per process. */
import { loadCheckedOperations } from '../rest-bridge/operations/load-operations.ts';
import type { Operation } from '../rest-bridge/operations/operation.ts';
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
