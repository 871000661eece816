/** One log line and one span per HTTP request, with the facts that deeper layers add. */
import { LogController, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { withoutSecrets } from '../security/issued-secrets.ts';
import { countOverloaded, recordRequest } from '../telemetry/metrics.ts';
import { loggedFacts, requestScope, runInScope, type RequestScope } from '../telemetry/request-scope.ts';
import { readTraceparent } from '../telemetry/trace-context.ts';
import { failSpan, openScope } from '../telemetry/tracing.ts';
import { isPolled } from './probes.ts';
import { pathOf } from './problem.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The scope of the request. */
    scope: RequestScope | undefined;
  }
}

/** The route as registered; undefined for an unknown path. */
const routeOf = ({ is404, routeOptions: { url } }: FastifyRequest): string | undefined => (is404 ? undefined : url);

/** One line per completed request, without the query string, which may contain keys and names, and without secrets in the path. */
export class RequestLog extends LogController {
  constructor() {
    super({ requestIdLogLabel: 'requestId' });
  }
  override incomingRequest(): void {
    // requestCompleted logs the request
  }
  override routeNotFound(): void {
    // requestCompleted logs the request
  }
  override defaultErrorLog(): void {
    // the error handler logs internal errors
  }
  override requestCompleted(_error: Error | null | undefined, request: FastifyRequest, reply: FastifyReply): void {
    const { method, scope } = request;
    const isMinor = scope?.facts.isMinor;
    const facts = loggedFacts(scope?.facts ?? {});
    const status = facts.status ?? reply.statusCode;
    const path = withoutSecrets(pathOf(request.url));
    endSpan(request, status);
    if (!isPolled(path)) {
      const http_route = routeOf(request) ?? '';
      const labels = { http_request_method: method, http_route, http_response_status_code: String(status) };
      recordRequest(labels, reply.elapsedTime);
      if (status === 503 && facts.code === 'overloaded') countOverloaded({ http_route });
    }
    if (status < 400 && (isMinor === true || isPolled(path))) return;
    const operation = request.routeOptions.config.operation ?? facts.operation;
    const line = { method, path, ...facts, operation, status, durationMs: Math.round(reply.elapsedTime * 100) / 100 };
    reply.log[status >= 500 ? 'error' : 'info'](line, 'request');
  }
}

/** Ends the span with the names of https://opentelemetry.io/docs/specs/semconv/http/http-spans/. */
function endSpan({ scope, method, routeOptions: { config } }: FastifyRequest, status: number): void {
  const span = scope?.span;
  if (scope === undefined || !span) return;
  const { operation = config.operation, cost } = scope.facts;
  span.setAttributes({ 'http.request.method': method, 'http.response.status_code': status });
  if (operation !== undefined && operation !== null) span.setAttribute('platform.operation', operation);
  if (cost !== undefined) span.setAttribute('platform.cost', cost);
  if (status >= 500) failSpan(span, scope.facts.code ?? String(status));
  span.end();
}

/** Runs every request in a separate scope. Add it before other hooks. */
export function addRequestScope(app: FastifyInstance): void {
  app.decorateRequest('scope');
  app.addHook('onRequest', (request, _reply, done) => {
    const route = routeOf(request);
    if (route !== undefined && isPolled(route)) return done();
    const name = route === undefined ? request.method : `${request.method} ${route}`;
    const attributes = route === undefined ? {} : { 'http.route': route };
    const traceparent = readTraceparent(request.headers['traceparent']);
    request.scope = openScope({ name, kind: 'SERVER', traceparent, attributes });
    runInScope(request.scope, done);
  });
  // the body is read outside of the scope
  app.addHook('preValidation', (request, _reply, done) => {
    if (requestScope() === request.scope) done();
    else runInScope(request.scope, done);
  });
}
