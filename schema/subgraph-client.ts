/** How the router calls an area: one GraphQL request with its viewer, in process or over HTTP. */
import type { Area } from './areas.ts';
import type { ResponseNotes } from './entry-point.ts';
import { isErrorCode, Problem } from './errors.ts';
import { isRecord } from './records.ts';
import { SYSTEM, type Viewer } from './viewer.ts';

export interface SubgraphRequest {
  /** The area, in a call to a process that serves several; absent: that of the client. */
  readonly area?: Area | undefined;
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly operationName: string | null;
  readonly viewer: Viewer;
  readonly requestId: string;
  /** Once aborted, the area cancels the statements of the request. A write whose commit was sent stays. */
  readonly signal: AbortSignal | undefined;
  /** When the caller stops to wait, on the clock of `performance.now()`; absent: the limit of the client. */
  readonly deadlineMs?: number | undefined;
  /** Whether an area sends the call during another call, which already counts against the concurrency limit. */
  readonly isNested?: boolean | undefined;
  /** Proof of the viewer for calls back into the graph, when the graph runs in another process. */
  readonly ticket?: Ticket | null;
}

/** The ids of calls that a router sends every second, for no request. */
export const periodicRequestIds: ReadonlySet<string> = new Set(['area-states', 'circuit-probe']);

/** Time limit of an operation. A caller waits longer for a write, because it would not know its outcome. */
export const operationTimeouts = { queryMs: 10_000, mutationMs: 30_000 } as const;

/** A ticket (platform/security/ticket.ts), or a function that requests it from the router; null for the system viewer. */
export type Ticket = string | (() => Promise<string | null>);

/** One error of an area; list indexes in `path` are numbers. */
export interface SubgraphError {
  readonly message: string;
  readonly path?: readonly (string | number)[] | undefined;
  readonly extensions?: Readonly<Record<string, unknown>> | undefined;
}

export interface SubgraphResponse {
  readonly data?: Record<string, unknown> | null | undefined;
  readonly errors?: readonly SubgraphError[] | undefined;
  /** `cause` is for operators: why the area failed. */
  readonly extensions?: { readonly notes?: ResponseNotes | undefined; readonly cause?: string | undefined } | undefined;
}

export interface SubgraphClient {
  /** Errors of resolvers are returned in `errors`. Throws a Problem when the area is unavailable. */
  query(request: SubgraphRequest): Promise<SubgraphResponse>;
  close?(): Promise<void>;
}

const isError = (value: unknown): boolean =>
  isRecord(value) && typeof value['message'] === 'string' && (value['path'] === undefined || Array.isArray(value['path']));

/**
 * Whether a value is a response as the GraphQL specification (section 7.1) defines it: data, or at least one error that explains
 * why there is none.
 */
export function isSubgraphResponse(value: unknown): value is SubgraphResponse {
  if (!isRecord(value)) return false;
  const { data = null, errors = [], extensions = {} } = value;
  if (!Array.isArray(errors) || !errors.every(isError) || !isRecord(extensions)) return false;
  return isRecord(data) || (data === null && errors.length > 0);
}

/** The error of an area that does not respond, or responds with something else than GraphQL. */
export const unavailableArea = (area: string): Problem =>
  new Problem('upstream_unavailable', `The area ${area} is unavailable. Retry the request.`);

/** Runs a query of an area as the platform and returns its data. `deadlineMs` as in SubgraphRequest. Throws the first error as a Problem, upstream_unavailable without data. */
export async function queryAsPlatform(
  area: Pick<SubgraphClient, 'query'>,
  requestId: string,
  query: string,
  variables: Readonly<Record<string, unknown>>,
  deadlineMs?: number,
): Promise<Record<string, unknown>> {
  const { data, errors } = await area.query({
    query,
    variables,
    operationName: null,
    viewer: SYSTEM,
    requestId,
    signal: undefined,
    deadlineMs,
  });
  const [violation] = errors ?? [];
  if (violation === undefined) {
    if (data === null || data === undefined)
      throw new Problem('upstream_unavailable', 'The area returned no data. Retry the request.');
    return data;
  }
  const { code, ...extensions } = violation.extensions ?? {};
  throw new Problem(isErrorCode(code) ? code : 'internal', violation.message, extensions);
}
