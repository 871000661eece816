/**
 * How the sandbox process rejects a call: in a response. A rejected frame would be a failure of the process for the circuit of the router, and the
 * sandbox of one account would make those of all others unavailable.
 */
import { isErrorCode, Problem } from '../../schema/errors.ts';
import type { SubgraphResponse } from '../../schema/subgraph-client.ts';

/** The response for a call that was not executed. */
export const rejectionOf = ({ code, message, extensions }: Problem): SubgraphResponse => ({
  data: null,
  errors: [{ message, extensions: { ...extensions, code, isRejection: true } }],
});

/** Returns the response of a call that was executed. Throws the Problem of one that was not. */
export function executed(response: SubgraphResponse): SubgraphResponse {
  const { message = '', extensions = {} } = response.errors?.[0] ?? {};
  const { code, isRejection, ...others } = extensions;
  if (isRejection !== true) return response;
  throw new Problem(isErrorCode(code) ? code : 'internal', message, others);
}
