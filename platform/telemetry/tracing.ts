/** Spans of requests and statements. Without an exporter nothing is created, and only the context of callers is passed on. */
import type { Attributes, Span } from '@opentelemetry/api';
import { errorCode } from '../error-code.ts';
import { requestScope, runInScope, type RequestFacts, type RequestScope } from './request-scope.ts';
import { formatTraceparent, traceIdOf } from './trace-context.ts';

/** The kinds of spans, by the names of SpanKind. */
type Kind = 'INTERNAL' | 'SERVER' | 'CLIENT' | 'CONSUMER';

/** Creates spans; open-tracing.ts creates it, so that processes without traces do not load the packages. */
export interface Tracer {
  /** @param parent a span, a traceparent of another process, or null for a new trace */
  start(name: string, kind: Kind, parent: Span | string | null, attributes: Attributes): Span;
  /** Sets the status of a span to ERROR. */
  fail(span: Span): void;
}

let tracer: Tracer | null = null;

/** Sets what creates the spans of this process; null: none are created. */
export function useTracer(next: Tracer | null): void {
  tracer = next;
}

export interface SpanOptions {
  /** Without values of requests: few different names. */
  readonly name: string;
  readonly kind: Kind;
  /** The trace context of a call from another process; default: the current span. */
  readonly traceparent?: string | null | undefined;
  readonly attributes?: Attributes;
}

/** The scope of a new request, with its server span. `failSpan` and `span.end()` end it. */
export function openScope(options: SpanOptions, facts: RequestFacts = {}): RequestScope {
  const { traceparent = null } = options;
  if (tracer === null) {
    if (traceparent !== null) facts.traceId = traceIdOf(traceparent);
    return { facts, traceparent, span: null };
  }
  const span = tracer.start(options.name, options.kind, traceparent, options.attributes ?? {});
  const context = span.spanContext();
  facts.traceId = context.traceId;
  return { facts, traceparent: formatTraceparent(context), span: span.isRecording() ? span : null };
}

/** Marks the span of a failed request, with the semantic convention `error.type`. */
export function failSpan(span: Span | null, type: string): void {
  if (span !== null) tracer?.fail(span.setAttribute('error.type', type));
}

/** Runs `work` in a span below the current one. Without a traced request it only runs `work`. */
export function withSpan<Result>(options: SpanOptions, work: () => Promise<Result>): Promise<Result> {
  const scope = requestScope();
  if (tracer === null || scope === undefined || scope.span === null) return work();
  return runSpan(tracer.start(options.name, options.kind, scope.span, options.attributes ?? {}), scope.facts, work);
}

/** Runs `work` as a new request: a call of another process, or work that no request caused. Its facts are `facts`. */
export function withRequest<Result>(options: SpanOptions, facts: RequestFacts, work: () => Promise<Result>): Promise<Result> {
  const scope = openScope(options, facts);
  if (scope.span === null) return runInScope(scope, work);
  return runSpan(scope.span, facts, work);
}

async function runSpan<Result>(span: Span, facts: RequestFacts, work: () => Promise<Result>): Promise<Result> {
  const scope = { facts, traceparent: formatTraceparent(span.spanContext()), span };
  try {
    return await runInScope(scope, work);
  } catch (error) {
    failSpan(span, errorCode(error) ?? (error instanceof Error ? error.name : 'Error'));
    throw error;
  } finally {
    span.end();
  }
}
