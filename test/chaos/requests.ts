/** Requests to the cluster as a client sends them: to any of the addresses, with a time limit, and with the reason of a failure. */
import type { Ledger } from './ledger.ts';

const timeoutMs = 10_000;

export interface ClientResponse {
  /** 0 without a response. */
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
  /** Why the request failed: the status with its error code, or the error of the connection. Null for 2xx and 4xx that the caller expects. */
  readonly reason: string | null;
}

export interface RequestOptions {
  readonly method?: string;
  readonly key?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Statuses that are no failure, in addition to 2xx. */
  readonly expected?: readonly number[];
}

export type Send = (kind: string, path: string, options?: RequestOptions) => Promise<ClientResponse>;

const codeOf = (body: unknown): string =>
  typeof body === 'object' && body !== null && 'code' in body ? ` ${String(body.code)}` : '';

function errorName(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : error.name;
}

async function read(response: Response): Promise<unknown> {
  const text = await response.text();
  return /[/+]json\b/.test(response.headers.get('content-type') ?? '') ? (JSON.parse(text) as unknown) : text;
}

/** Sends to the addresses in turn, as a load balancer without health checks does; a connection that is not accepted goes to the next one. */
export function createSend(addresses: readonly string[], ledger: Ledger): Send {
  let turn = 0;

  async function fetchAny(path: string, init: RequestInit): Promise<Response> {
    for (let attempt = 1; ; attempt += 1) {
      turn = (turn + 1) % addresses.length;
      try {
        return await fetch(`${addresses[turn] ?? ''}${path}`, { ...init, signal: AbortSignal.timeout(timeoutMs) });
      } catch (error) {
        if (errorName(error) !== 'ECONNREFUSED' || attempt >= addresses.length) throw error;
      }
    }
  }

  return async (kind, path, { method = 'GET', key, body, headers = {}, expected = [] } = {}) => {
    const init = {
      method,
      headers: {
        ...headers,
        ...(key !== undefined && { 'x-api-key': key }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    };
    try {
      const response = await fetchAny(path, init);
      const answer = await read(response);
      const isFailure = !response.ok && !expected.includes(response.status);
      const reason = isFailure ? `${response.status}${codeOf(answer)}` : null;
      ledger.note(kind, reason);
      return { status: response.status, headers: response.headers, body: answer, reason };
    } catch (error) {
      const reason = errorName(error);
      ledger.note(kind, reason);
      return { status: 0, headers: new Headers(), body: null, reason };
    }
  };
}
