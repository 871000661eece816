/** A settled request, as the collector records it. */
import type { Area } from '../../../schema/areas.ts';
import type { RequestLine } from '../../../schema/entry-point.ts';
import type { ReportedError } from '../../../schema/reported-error.ts';
import type { Viewer } from '../../../schema/viewer.ts';
import type { KnownKey } from '../key-check.ts';
import type { Limits, Subject, Usage } from '../quota/store.ts';

/** The holder of a key or an address that sent a request. */
export interface Requester {
  readonly viewer: Viewer;
  readonly subject: Subject;
  readonly plan: Limits & { readonly code: string };
  /** The outer network, which counts too. */
  readonly outer?: { readonly subject: Subject } | null;
}

/** One settled request. */
export interface MeteredRequest {
  /** Null when unknown because the database was down. */
  readonly requester: Requester | null;
  /** The key that was rejected, if it exists. */
  readonly rejectedKey?: KnownKey | null;
  /** The caller's address; only its hash and its network are ever stored. */
  readonly address: string;
  /** 0 for the additional cost of a request that was admitted before. */
  readonly requests: 0 | 1;
  /** Units charged minus units refunded. */
  readonly units: number;
  /** State of the windows after the last charge; null without one. */
  readonly usage: Usage | null;
  /** The same for the outer network. */
  readonly outerUsage: Usage | null;
  /** The store's clock at the charge, in milliseconds since 1970. */
  readonly clockMs: number;
  /** HTTP status of the response. */
  readonly status: number;
  /** Area of the root field; null for none or several. */
  readonly area: Area | null;
  /** Operation name; null when unknown. */
  readonly operation: string | null;
  readonly durationMs: number;
  readonly requestId: string;
  /** Null if an older process received the request. */
  readonly line?: RequestLine | null;
  /** The error of the response; null without one. */
  readonly error?: ReportedError | null;
  /** The SHA-256 of a GraphQL document in hex. */
  readonly document?: string | null;
}
