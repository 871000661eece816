/** One request to the platform that serves this page; what it refuses is thrown as a Failure. */
import { failureOf, unreachable } from './failure.ts';

export interface Asked {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
  /** Asked by the page itself, not by who sits before it: does not prolong the session. */
  readonly background?: boolean;
}

/** The JSON of the answer, or null when there is none. */
export async function request(path: string, { method = 'GET', body, signal, background = false }: Asked = {}): Promise<unknown> {
  const response = await fetch(path, {
    method,
    signal: signal ?? null,
    headers: {
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(background && { 'x-background': 'true' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch((violation: unknown) => {
    throw signal?.aborted ? violation : unreachable();
  });
  if (response.status === 204) return null;
  const answer: unknown = await response.json().catch(() => ({}));
  if (!response.ok) throw failureOf(toldIn(answer), response);
  const { errors: [violation] = [] } = answer as { errors?: readonly { message: string; extensions?: object }[] };
  if (violation) throw failureOf({ ...violation.extensions, message: violation.message }, response);
  return answer;
}

/** GraphQL tells what it refuses as a whole in a list of errors too. */
function toldIn(answer: unknown): object {
  const { errors } = answer as { errors?: readonly { message?: string; extensions?: { code?: string } }[] };
  const [first] = errors ?? [];
  return first?.extensions?.code === undefined ? (answer as object) : { ...first.extensions, message: first.message };
}
