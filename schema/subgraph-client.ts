/** How the router calls an area: one GraphQL request with its viewer, in process or over HTTP. */
import type { ResponseNotes } from './entry-point.ts';
import { isErrorCode, Problem } from './errors.ts';
import { SYSTEM, type Viewer } from './viewer.ts';

export interface SubgraphRequest {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly operationName: string | null;
  readonly viewer: Viewer;
  readonly requestId: string;
  readonly signal: AbortSignal | undefined;
  /** Proof of the viewer for calls back into the graph, when the graph runs in another process. */
  readonly ticket?: string | null;
}

/** One error of an area; list indexes in `path` are numbers. */
export interface SubgraphError {
  readonly message: string;
  readonly path?: readonly (string | number)[] | undefined;
  readonly extensions?: Readonly<Record<string, unknown>> | undefined;
}

export interface SubgraphResponse {
  readonly data?: Record<string, unknown> | null | undefined;
  readonly errors?: readonly SubgraphError[] | undefined;
  readonly extensions?: { readonly notes?: ResponseNotes | undefined } | undefined;
}

export interface SubgraphClient {
  /** Errors of resolvers are returned in `errors`. Throws a Problem when the area is unavailable. */
  query(request: SubgraphRequest): Promise<SubgraphResponse>;
  close?(): Promise<void>;
}

/** Runs a query of an area as the platform and returns its data. Throws the first error as a Problem. */
export async function queryAsPlatform(
  area: Pick<SubgraphClient, 'query'>,
  requestId: string,
  query: string,
  variables: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown> | null | undefined> {
  const { data, errors } = await area.query({
    query,
    variables,
    operationName: null,
    viewer: SYSTEM,
    requestId,
    signal: undefined,
  });
  const [violation] = errors ?? [];
  if (violation === undefined) return data;
  const { code, ...extensions } = violation.extensions ?? {};
  throw new Problem(isErrorCode(code) ? code : 'internal', violation.message, extensions);
}
