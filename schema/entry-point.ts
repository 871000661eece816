/** The contract between an API (REST, GraphQL) and the router: the request that an API sends, and the response it gets. */
import type { Writable } from 'node:stream';
import type { Violation } from './errors.ts';
import type { ReportedError } from './reported-error.ts';

/** The caller as received: raw and unverified. Only the API key proves an identity. */
export interface Caller {
  /** Every distinct API key of the request (x-api-key, Authorization: Bearer). More than one is rejected. */
  readonly credentials: readonly string[];
  /** The client's IP address, after trusted proxies. */
  readonly address: string;
  readonly host: string;
  readonly requestId: string;
  readonly traceparent: string | null;
  /** What the request log has of the HTTP request; absent if an older process received it. */
  readonly request?: RequestLine | undefined;
}

/** The start of an HTTP request. */
export interface RequestLine {
  readonly method: string;
  /** Path without its query. */
  readonly path: string;
  readonly userAgent: string | null;
}

/** One error of an execution; `path` uses the client's response keys. */
export interface GraphError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions: {
    /** A platform code (errors.ts) or one of Apollo Server. */ readonly code: string;
    readonly errors?: readonly Violation[];
    readonly [member: string]: unknown;
  };
}

/** What areas report in addition to the data, merged over all fetches of an execution. */
export interface ResponseNotes {
  /** The response replays an earlier write with the same Idempotency-Key. */
  replayed?: boolean;
  /** Event position of this write, for read-your-writes (X-Consistency-Token). */
  consistencyToken?: string;
  /** The response may contain personal data: private, no-cache. */
  person?: boolean;
  /** The response contains data about a minor: private, no-store. */
  minor?: boolean;
  /** The requested id was merged into another one: the client is redirected. */
  moved?: { readonly from: string; readonly to: string };
  /** The response shows what must be hidden from a point in time on, without an event: it is never kept. */
  expires?: boolean;
  /** An area queried other areas through the graph: the response may depend on any of them. */
  queriesGraph?: boolean;
}

/** What a response was read from. It may be sent again while the router confirms it (docs/decisions/0047-response-cache.md). */
export interface ResponseSources {
  /** The graph that read it: one process, and one version of its schema. */
  readonly graph: string;
  /** The viewers who see the same. */
  readonly viewer: string;
  /** The generation of each area that it was read from. */
  readonly generations: Readonly<Record<string, number>>;
  /** How long it may be kept at most. */
  readonly maxAgeMs: number;
  /** The cost of the response in units; absent: 1. */
  readonly units?: number;
}

/** What an admitted request executes: a registered document with its variables. */
export interface OperationInput {
  readonly document: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** A request to the router. Admission checks and charges it once, whatever becomes of its input. */
export interface OperationRequest {
  readonly caller: Caller;
  /** Id of a registered operation, which decides the required access and the charge; null for a path without an operation. */
  readonly operation: string | null;
  /**
   * What to execute. Null: the API rejects the request, which is admitted and charged, but not executed; admission errors take precedence.
   * A function is called once the caller is admitted, so that the body of a denied request is never read. It must not throw.
   */
  readonly input: OperationInput | null | (() => Promise<OperationInput | null>);
  /** Aborted when the client disconnects: statements that still run for it are canceled. */
  readonly signal?: AbortSignal | undefined;
  /** The sources of a response to the same input that the API has kept. While they are current, nothing is executed. */
  readonly kept?: ResponseSources | undefined;
  /** Whether the client may already have the response (If-None-Match). */
  readonly isConditional?: boolean | undefined;
  /** Counts against the burst only: a message without an operation that reads nothing, such as a handshake. */
  readonly isBurstOnly?: boolean | undefined;
}

/** The response that the client received. */
export interface Outcome {
  readonly status: number;
  /** Duration of the response when another process measured it; otherwise the router measures. */
  readonly durationMs?: number | undefined;
  /** The error of the response; absent or null without one. */
  readonly error?: ReportedError | null | undefined;
}

/** The response to an operation request. */
export interface OperationResponse {
  /** The data object of the operation; null when nothing was executed. */
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly errors: readonly GraphError[];
  /** RateLimit-Policy, RateLimit, X-RateLimit-*, and Retry-After or WWW-Authenticate on rejections; lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** The headers instead of those that a 304 has; absent when it has the same. */
  readonly notModifiedHeaders?: Readonly<Record<string, string>> | undefined;
  /** True when the request carried a valid key (private caching). */
  readonly authenticated: boolean;
  readonly notes: ResponseNotes;
  /** Whether the kept response is current: send it again. */
  readonly isUnchanged?: boolean;
  /** The sources of a response that may be kept; absent for all others. */
  readonly sources?: ResponseSources | undefined;
  /** Call once with the status sent to the client: 500, 502 and 503 are refunded, and a 304 to a valid key is free. */
  readonly settle: (outcome: Outcome) => void;
}

/** A request for a stream of events. */
export interface StreamRequest {
  readonly caller: Caller;
  /** Id of the registered operation whose access the stream requires: that of the list of events. */
  readonly operation: string;
  readonly filter: Readonly<Record<string, unknown>>;
  /** The stream begins after this position of the feed; null: with the first event since the time of the filter, or else with the next event. */
  readonly cursor: string | null;
  /** Aborted when the client disconnects. */
  readonly signal?: AbortSignal | undefined;
}

/** The response to a request for a stream. */
export interface StreamResponse extends Pick<OperationResponse, 'errors' | 'headers' | 'settle'> {
  /** Writes the stream until one side ends it. Null when the request was rejected. Otherwise call it once; `settle` then has no effect. */
  readonly start: ((output: Writable) => void) | null;
}

/** Streams of events as Server-Sent Events. */
export interface EventStreams {
  /** Never throws: errors are in `errors`. */
  open(request: StreamRequest): Promise<StreamResponse>;
  /** Ends all streams, so that their clients connect to another process. */
  close(): void;
}

/** The router as the APIs use it. */
export interface EntryPoint {
  execute(request: OperationRequest): Promise<OperationResponse>;
}

/** A query with the types of its response and its variables; `graphql` in subgraphs/clients/graphql.ts creates it. */
export interface GraphDocument<Data, Variables> {
  toString(): string;
  /** Carries the types; absent at run time. */
  readonly __apiType?: (variables: Variables) => Data;
}

/**
 * The graph as an area uses it: a query through the router with the same viewer, uncharged. Throws a Problem on any error.
 * An area that returns the data to the client passes the `notes` of its response: what the data contains is added to them.
 */
export type Graph = <Data = Record<string, unknown>, Variables = Readonly<Record<string, unknown>>>(
  document: GraphDocument<Data, Variables>,
  variables?: Variables,
  notes?: ResponseNotes,
) => Promise<Data>;

/** Creates a Graph from a function that runs the text of a query. */
export function createGraphCaller(
  run: (
    text: string,
    variables: Readonly<Record<string, unknown>>,
    notes: ResponseNotes | undefined,
  ) => Promise<Record<string, unknown>>,
): Graph {
  // Cast: the types of a document are generated from the schema that its response follows.
  return ((document: GraphDocument<unknown, unknown>, variables?: Readonly<Record<string, unknown>>, notes?: ResponseNotes) =>
    run(document.toString(), variables ?? {}, notes)) as Graph;
}

/** Adds what the data of a query contains to the notes of a response that contains this data. */
export function addContentNotes(notes: ResponseNotes | undefined, { person, minor, expires }: ResponseNotes): void {
  if (notes === undefined) return;
  if (person === true) notes.person = true;
  if (minor === true) notes.minor = true;
  if (expires === true) notes.expires = true;
}
