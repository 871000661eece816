/** The search parameters of the request log, and the filter of the API that they stand for. */
import { errors } from '../../../schema/errors.ts';
import type { DataMode, LoggedRequestFilter, RequestApi, UsageStatus } from '../../generated/graphql.ts';
import { instantOf } from '../instant.ts';
import type { ListSearch } from '../list-search.ts';

export const outcomes = ['SUCCESS', 'REDIRECTION', 'CLIENT_ERROR', 'SERVER_ERROR'] as const satisfies readonly UsageStatus[];
export const apis = ['REST', 'GRAPHQL', 'MCP'] as const satisfies readonly RequestApi[];
export const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

export const keyModes = ['LIVE', 'TEST'] as const satisfies readonly DataMode[];

/** The statuses of responses, of which 499 is a client that disconnected. */
const successes = [200, 201, 202, 204, 207, 304, 308, 499];
export const statuses: readonly string[] = [...new Set([...successes, ...Object.values(errors).map(({ status }) => status)])]
  .sort((one, other) => one - other)
  .map(String);

export const requestsSearch = {
  /** Absent: the pages of the log. */
  view: ['LIVE'],
  requestId: 'text',
  outcome: outcomes,
  status: statuses,
  errorCode: 'text',
  api: apis,
  method: methods,
  operation: 'text',
  key: 'text',
  /** Mode of the key. */
  keyMode: keyModes,
  since: 'text',
  until: 'text',
  /** The request whose details are open. */
  request: 'text',
} as const;

export type RequestsSearch = ListSearch<typeof requestsSearch>;

/** The value if it is one of the choices: the router also passes parameters of the URL that are none. */
const oneOf = <Choice extends string>(choices: readonly Choice[], value: string | undefined): Choice | undefined =>
  choices.find((choice) => choice === value);

/** The filter of the log of one account. */
export type RequestFilter = Omit<LoggedRequestFilter, 'accountId'>;

/** The filter of both views. */
export function requestFilterOf(search: RequestsSearch): RequestFilter {
  const { requestId, errorCode, operation, key } = search;
  const outcome = oneOf(outcomes, search.outcome);
  const status = oneOf(statuses, search.status);
  const api = oneOf(apis, search.api);
  const method = oneOf(methods, search.method);
  const mode = oneOf(keyModes, search.keyMode);
  return {
    ...(requestId !== undefined && { requestId }),
    ...(outcome !== undefined && { outcome }),
    ...(status !== undefined && { status: [Number(status)] }),
    ...(errorCode !== undefined && { errorCode: [errorCode] }),
    ...(api !== undefined && { api }),
    ...(method !== undefined && { method }),
    ...(operation !== undefined && { operation }),
    ...(key !== undefined && { key }),
    ...(mode !== undefined && { mode }),
  };
}

/** The filter of the pages. */
export function pageFilterOf(search: RequestsSearch): RequestFilter {
  const [since, until] = [instantOf(search.since), instantOf(search.until)];
  return { ...requestFilterOf(search), ...(since !== null && { since }), ...(until !== null && { until }) };
}
