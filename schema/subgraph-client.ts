/** The seam between the router and an area: one GraphQL request with its viewer, in process or over HTTP. */
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
  /** What the area shows when it calls the graph back, where the graph is in another process. */
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
  /** Never rejects for a fault of the area's resolvers (those are `errors`); throws a Problem when the area cannot be reached. */
  query(request: SubgraphRequest): Promise<SubgraphResponse>;
  close?(): Promise<void>;
}

/** Asks an area for the platform itself, and returns its data. Throws the Problem that its first fault is. */
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
