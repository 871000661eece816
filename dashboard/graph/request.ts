/** Sends one HTTP request to the platform that serves this page. Error responses are thrown as RequestError. */
import { outage } from './outage.ts';
import { requestErrorOf, unreachableError, type ErrorBody } from './request-error.ts';

export interface RequestOptions {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /** Sent by the page on a timer, without user action. Does not extend the session. */
  readonly background?: boolean;
}

interface GraphQLErrors {
  readonly errors?: readonly { readonly message?: string; readonly extensions?: ErrorBody }[];
}

const gatewayStatuses: ReadonlySet<number> = new Set([502, 503, 504]);

/** The JSON body of the response; null for 204. The caller names the type, which the API defines. Throws RequestError. */
export async function requestJson<Body>(
  path: string,
  { method = 'GET', body, headers = {}, signal, background = false }: RequestOptions = {},
): Promise<Body> {
  const response = await fetch(path, {
    method,
    signal: signal ?? null,
    headers: {
      accept: 'application/json',
      ...headers,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(background && { 'x-background': 'true' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch((error: unknown) => {
    throw signal?.aborted ? error : unreachableError();
  });
  // a cast: the body has the type that the API defines for this path, and is not validated here
  const json = (response.status === 204 ? null : await response.json().catch(() => ({}))) as Body & ErrorBody & GraphQLErrors;
  // an error of a proxy in front of the platform
  if (gatewayStatuses.has(response.status) && json.code === undefined && json.errors === undefined) throw unreachableError();
  outage.set(false);
  const error = errorIn(json, response.ok);
  if (error !== null) throw requestErrorOf(error, response);
  return json;
}

/** The problem or the first GraphQL error of a body. Rejected GraphQL requests have a list of errors and an error status. */
function errorIn(body: (ErrorBody & GraphQLErrors) | null, isOk: boolean): ErrorBody | null {
  const [first] = body?.errors ?? [];
  if (first !== undefined && (isOk || first.extensions?.code !== undefined))
    return { ...first.extensions, message: first.message };
  return isOk ? null : body;
}
