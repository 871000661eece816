/** An HTTP client of the public APIs, which compares every REST response with the OpenAPI document. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expectContract } from './contract.ts';
import { expectContributionSums } from './contributions.ts';

/** A response. `body` is any because tests read arbitrary members. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a test reads what it expects
  readonly body: any;
}

export interface Client {
  get(path: string, headers?: Record<string, string>): Promise<ApiResponse>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<ApiResponse>;
  patch(path: string, body: unknown, headers?: Record<string, string>): Promise<ApiResponse>;
  delete(path: string, headers?: Record<string, string>): Promise<ApiResponse>;
  /** Sends any request unchanged. */
  send(path: string, init: RequestInit): Promise<ApiResponse>;
  graphql(query: string, variables?: Record<string, unknown>, headers?: Record<string, string>): Promise<ApiResponse>;
}

/**
 * Repeats a list of changes until it is complete up to the time of the call, as a synchronizing client does: a change is withheld while an
 * older transaction runs, for example one of a relay. `send` does not repeat.
 */
async function complete(path: string, read: () => Promise<ApiResponse>): Promise<ApiResponse> {
  const startedMs = Date.now();
  for (;;) {
    const response = await read();
    const until: unknown = /[?&]updatedSince=/.test(path) && response.status === 200 && response.body.page?.updatedUntil;
    const isComplete = typeof until !== 'string' || Date.parse(until) >= startedMs;
    if (isComplete || Date.now() > startedMs + 5_000) return response;
    await sleep(20);
  }
}

/** `path` is below /api/v1 unless it starts with /api or another top-level path of the server. */
export function createClient({ restUrl, graphqlUrl, key }: { restUrl: string; graphqlUrl: string; key: string | null }): Client {
  const identity: Record<string, string> = key === null ? {} : { 'x-api-key': key };

  async function request(url: string, init: RequestInit): Promise<ApiResponse> {
    const response = await fetch(url, init);
    const text = await response.text();
    const { pathname, search } = new URL(url);
    expectContract({
      method: init.method ?? 'GET',
      path: pathname + search,
      status: response.status,
      headers: response.headers,
      text,
    });
    const json = /[/+]json\b/.test(response.headers.get('content-type') ?? '') && text !== '';
    const body: unknown = json ? JSON.parse(text) : text;
    if (json && text.includes('"contribution"')) expectContributionSums(body as Parameters<typeof expectContributionSums>[0]);
    return { status: response.status, headers: response.headers, body };
  }

  const send = (path: string, init: RequestInit): Promise<ApiResponse> =>
    request(`${restUrl}${/^\/(api|docs|llms\.txt|mcp|health|ready|\.well-known)\b/.test(path) ? path : `/api/v1${path}`}`, {
      ...init,
      headers: { ...identity, ...(init.headers as Record<string, string>) },
    });
  const withBody =
    (method: string) =>
    (path: string, body: unknown, headers: Record<string, string> = {}) =>
      send(path, {
        method,
        headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });

  return {
    send,
    get: (path, headers = {}) => complete(path, () => send(path, { headers })),
    post: (path, body, headers) => withBody('POST')(path, body, headers),
    patch: withBody('PATCH'),
    delete: (path, headers = {}) => send(path, { method: 'DELETE', headers }),
    graphql: (query, variables = {}, headers = {}) =>
      request(`${graphqlUrl}/graphql`, {
        method: 'POST',
        headers: {
          accept: 'application/graphql-response+json',
          'content-type': 'application/json',
          ...identity,
          ...headers,
        },
        body: JSON.stringify({ query, variables }),
      }),
  };
}
