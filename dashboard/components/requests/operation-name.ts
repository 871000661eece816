/** The name of an operation as the dashboard and the portal display it. */
import type { RequestApi } from '../../generated/graphql.ts';

/** An operation of the log or of a rollup: `GET /api/v1/athletes/{id}`, `Squad (GraphQL)`, `listAthletes (tool)`. */
export function operationName(api: RequestApi | null, operation: string | null): string {
  if (operation === '(other)') return 'Other operations (GraphQL)';
  if (api === 'GRAPHQL') return operation === null ? 'GraphQL' : `${operation} (GraphQL)`;
  if (api === 'MCP') return operation === null ? 'Other messages (tools)' : `${operation} (tool)`;
  return operation ?? 'Unknown path';
}
