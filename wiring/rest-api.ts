/** The REST API over the public schema: read and checked once in a process, whoever needs it. */
import { loadOperations } from '../rest-bridge/operations.ts';
import type { Operation } from '../rest-bridge/operation.ts';
import { loadSupergraph } from '../router/supergraph.ts';
import { executableSchema } from '../schema/executable.ts';

type RestApi = Readonly<{ schema: ReturnType<typeof executableSchema>; operations: readonly Operation[] }>;

let api: RestApi | null = null;

/** The public schema and every REST operation over it. Throws as loadOperations does. */
export function restApi(): RestApi {
  if (api === null) {
    const schema = executableSchema(loadSupergraph().schemas.public);
    api = { schema, operations: loadOperations(schema) };
  }
  return api;
}
