/** The seam between a door (REST, GraphQL) and the router: what a door knows of its caller, and what it gets back. */
import type { Violation } from './errors.ts';

/** The caller as the wire shows him: raw and unverified. Identity comes from the key alone, never from a door's word. */
export interface Caller {
  /** Every distinct API key the request carried (x-api-key, Authorization: Bearer); more than one is refused. */
  readonly credentials: readonly string[];
  /** The client's IP address, after trusted proxies. */
  readonly address: string;
  readonly host: string;
  readonly requestId: string;
  readonly traceparent: string | null;
}

/** One error of an execution; `path` is in the client's terms. */
export interface GraphError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions: {
    /** One of ours (errors.ts), or Apollo's own. */ readonly code: string;
    readonly errors?: readonly Violation[];
    readonly [member: string]: unknown;
  };
}

/** What areas tell the door beside the data; merged over all fetches of an execution. */
export interface ResponseNotes {
  /** The answer is the replay of an earlier write with the same Idempotency-Key. */
  replayed?: boolean;
  /** Event position of this write, for reads that must see it (X-Consistency-Token). */
  consistencyToken?: string;
  /** The answer can show a person: private, no-cache. */
  person?: boolean;
  /** The answer shows a minor: private, no-store. */
  minor?: boolean;
  /** What was asked for by one id is one with what has another: the reader is sent there. */
  moved?: { readonly from: string; readonly to: string };
}

/** A request of a door: a named operation, or a refusal that must be admitted and charged all the same. */
export interface OperationRequest {
  /** Operation id, known to the router from the documents it was given; null for a refusal of what is no operation. */
  readonly operation: string | null;
  /** True when the door refuses it: whoever may not run the operation is told that instead, and nothing is run. */
  readonly refused?: boolean;
  /** True when the same request was refused=true before, and admitted: only what it costs beyond that one unit is charged. */
  readonly admitted?: boolean;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly caller: Caller;
}

/** What a client was told. */
export interface Outcome {
  readonly status: number;
  /** How long the answer took, where it is told of later, from another process; measured by the router when absent. */
  readonly durationMs?: number | undefined;
}

/** What came of a request of a door. */
export interface OperationResponse {
  /** The value of the operation's data object; null when nothing was executed. */
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly errors: readonly GraphError[];
  /** RateLimit-Policy, RateLimit, X-RateLimit-*, and Retry-After or WWW-Authenticate on refusals; lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** True when a valid key was presented (private caching). */
  readonly keyed: boolean;
  readonly notes: ResponseNotes;
  /** To be called once with what the client was told: 500, 502 and 503 are refunded. */
  readonly settle: (outcome: Outcome) => void;
}

/** The router as doors see it. */
export interface EntryPoint {
  execute(request: OperationRequest): Promise<OperationResponse>;
}

/** The graph as an area sees it: a call back through the router with the same viewer, uncharged. Throws a Problem when anything failed. */
export type Graph = (operation: string, variables?: Readonly<Record<string, unknown>>) => Promise<Record<string, unknown>>;
