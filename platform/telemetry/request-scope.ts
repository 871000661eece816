/** The request that the running code serves: the facts of its log line, and its place in a trace. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Span } from '@opentelemetry/api';

/** What a request has in its log line in addition to the method, the path and the duration. All layers add to it. */
export interface RequestFacts {
  /** The id of a call between processes; HTTP requests have theirs in the log. */
  requestId?: string | undefined;
  /** Status of the outcome, where it differs from that of the HTTP response: 200 for the response that reports an error. */
  status?: number | undefined;
  /** The `operationId` of REST, or the client's name of a GraphQL operation. */
  operation?: string | undefined;
  /** Code of the error that the caller received. */
  code?: string | undefined;
  /** Label of the network of a rejected sign-in. */
  network?: string | undefined;
  /** The area that failed. */
  area?: string | undefined;
  /** Why the request failed with 5xx: the error of the database, or what the area reported. */
  cause?: string | undefined;
  /** Charged units. */
  cost?: number | undefined;
  /** Time of the fetches per area in milliseconds; those of one area at the same time are added. */
  areaMs?: Record<string, number> | undefined;
  /** W3C trace id. */
  traceId?: string | undefined;
  /** Whether the API key or the session of the request was accepted. Not logged. */
  isAuthenticated?: boolean | undefined;
  /** Id of the session of the dashboard or the portal. Not logged. */
  session?: string | undefined;
  /** Not logged while it succeeds: one of many small calls that serve no request. */
  isMinor?: boolean | undefined;
}

/** What the log line has of the facts. */
export function loggedFacts({ isMinor: _, isAuthenticated: __, session: ___, ...facts }: RequestFacts): RequestFacts {
  return facts;
}

export interface RequestScope {
  readonly facts: RequestFacts;
  /** W3C Trace Context for calls to other processes; null without a trace. */
  readonly traceparent: string | null;
  /** The current span; null while the request is not traced in this process. */
  readonly span: Span | null;
}

const scopes = new AsyncLocalStorage<RequestScope | undefined>();

/** The scope of the current request; undefined outside of one. */
export const requestScope = (): RequestScope | undefined => scopes.getStore();

/** Runs `work` as a part of the request. */
export const runInScope = <Result>(scope: RequestScope | undefined, work: () => Result): Result => scopes.run(scope, work);

/** Adds facts to the log line of the current request. Does nothing outside of one. */
export function noteRequest(facts: RequestFacts): void {
  const scope = scopes.getStore();
  if (scope !== undefined) Object.assign(scope.facts, facts);
}

/** Adds the cause of a failure; the first one stays, because later ones follow from it. */
export function noteCause(cause: string, area?: string): void {
  const facts = scopes.getStore()?.facts;
  if (facts === undefined || facts.cause !== undefined) return;
  facts.cause = cause;
  if (area !== undefined) facts.area ??= area;
}

/** Adds the time of a fetch. */
export function noteFetch(area: string, durationMs: number): void {
  const facts = scopes.getStore()?.facts;
  if (facts === undefined) return;
  const times = (facts.areaMs ??= {});
  times[area] = Math.round(((times[area] ?? 0) + durationMs) * 10) / 10;
}

/** The id under which calls of the current request are logged: that of its call or batch, or else the given one. */
export const currentRequestId = (given: string): string => scopes.getStore()?.facts.requestId ?? given;

/** The current trace context; undefined without a trace. */
export const currentTraceparent = (): string | undefined => scopes.getStore()?.traceparent ?? undefined;
