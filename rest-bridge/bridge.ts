/** The REST API as a Fastify plugin: a route for every annotated operation, and a problem for every other path under /api; tools under /mcp. */
import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify';
import type { GraphQLSchema } from 'graphql';
import { addLink } from '../platform/http/link-header.ts';
import { sendProblem, toProblem } from '../platform/http/problem.ts';
import type { EntryPoint, EventStreams } from '../schema/entry-point.ts';
import { Problem } from '../schema/errors.ts';
import type { Sport } from '../schema/sports.ts';
import { documentationPages } from './documentation/pages.ts';
import type { Page } from './documentation/static-page.ts';
import { statusPages } from './documentation/status-page.ts';
import { calendars } from './calendars/calendar.ts';
import { createMcp } from './mcp/mcp.ts';
import type { Operation } from './operations/operation.ts';
import { createRequestHandlers } from './request-handlers.ts';
import type { Handler, RequestHandlers } from './request-handlers.ts';
import { createBodyLimits } from './requests/body-limits.ts';
import type { BodyLimits } from './requests/body-limits.ts';
import { imageTypes, withImageTypes } from './requests/media-type.ts';
import { createValidators } from './requests/validators.ts';
import { streamedOperation, streamPathOf } from './streams/stream-handler.ts';
import { exposed, preflight } from './responses/cors.ts';
import { isSunset, versionHeaders, versionPath, versions } from './versions.ts';
import type { Major } from './versions.ts';

export interface BridgeOptions {
  readonly entryPoint: EntryPoint;
  readonly eventStreams: EventStreams;
  /** schema/generated/api.graphql, built. */
  readonly apiSchema: GraphQLSchema;
  /** The operations that loadOperations read for the same schema. */
  readonly operations: readonly Operation[];
  /** Scheme and host of links; links are relative without it. */
  readonly publicUrl?: string | null;
  /** Size of the cache of responses in bytes; default 0: responses are not kept. */
  readonly responseCacheBytes?: number | undefined;
  /** Domain whose subdomains serve areas and sports; default: none. */
  readonly baseDomain?: string | null | undefined;
  /** The sport of a host; default: none. */
  readonly sportOf?: ((host: string) => Sport | null) | undefined;
  readonly versions?: readonly Major[];
  readonly now?: () => number;
}

/** One method of a path; `operation` is null for documentation pages. */
interface Route {
  readonly handler: Handler;
  readonly operation: Operation | null;
}

const prefix = '/api';
/** Documentation pages are read without a body. */
const bodyLimitOfPages = 1024;
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'QUERY'] as const;

/** Adds the routes of one path, OPTIONS, and 405 for other methods (before any body is read). */
function addPath(
  app: FastifyInstance,
  path: string,
  routes: ReadonlyMap<string, Route>,
  handlers: RequestHandlers,
  limitsOf: (operation: Operation) => BodyLimits,
): void {
  const url = path.startsWith(app.prefix) ? path.slice(app.prefix.length) : path;
  const hasGet = routes.has('GET');
  const allowed = [...routes.keys(), ...(hasGet ? ['HEAD'] : []), 'OPTIONS'].sort();
  const allow = allowed.join(', ');
  for (const [method, { handler, operation }] of routes) {
    const bodyLimit = operation === null ? bodyLimitOfPages : limitsOf(operation).bytes;
    const config = { operation: operation?.name ?? null };
    const hooks = operation === null || method === 'GET' ? {} : { onRequest: handlers.admit(operation) };
    app.route({ method: method === 'GET' ? ['GET', 'HEAD'] : [method], url, bodyLimit, config, handler, ...hooks });
  }
  const rejectMethod: Handler = (request, reply) => {
    const detail = `This path does not support ${request.method}. Supported methods: ${allow}.`;
    return handlers.reject(request, reply.header('allow', allow), new Problem('method_not_allowed', detail));
  };
  const others = methods.filter((method) => !allowed.includes(method));
  if (others.length > 0) app.route({ method: [...others], url, onRequest: rejectMethod, handler: rejectMethod });
  app.route({
    method: 'OPTIONS',
    url,
    handler: (_, reply) => reply.code(204).headers(preflight(hasGet)).header('allow', allow).send(),
  });
}

/**
 * Creates the plugin that serves /api, /mcp, /docs, /status and /.well-known/api-catalog.
 * Requests that the bridge rejects are first admitted and charged through the entry point, so that probing is limited.
 */
export function createBridge(options: BridgeOptions): FastifyPluginAsync {
  const {
    operations,
    entryPoint,
    eventStreams,
    publicUrl,
    apiSchema,
    responseCacheBytes = 0,
    versions: table = versions,
    now = Date.now,
  } = options;
  const validatorsOf = createValidators(apiSchema);
  const limitsOf = createBodyLimits(apiSchema);
  const { sportOf = () => null } = options;
  const byName = new Map(operations.map((operation) => [operation.name, operation]));
  const handlers = createRequestHandlers({
    sportOf,
    entryPoint,
    eventStreams,
    operations,
    publicUrl,
    validatorsOf,
    limitsOf,
    responseCacheBytes,
  });
  const live = (): string[] => table.filter((row) => !isSunset(row, now())).map((row) => `v${row.major}`);

  /** Adds the deprecation headers of a version, and responds with 410 after its sunset. */
  function versioned(version: Major, handler: Handler): Handler {
    const { headers, link } = versionHeaders(version, table);
    return (request, reply) => {
      reply.headers(headers);
      if (link !== null) addLink(reply, link);
      if (!isSunset(version, now())) return handler(request, reply);
      const supported = live();
      const detail = `Version v${version.major} of this API is no longer available. Use ${supported.join(' or ')}.`;
      return handlers.reject(request, reply, new Problem('gone', detail, { versions: supported }));
    };
  }

  function addVersion(app: FastifyInstance, version: Major): void {
    const served = operations.filter((operation) => operation.major === version.major);
    for (const [path, group] of Map.groupBy(served, (operation) => operation.path.replaceAll(/\{(\w+)\}/g, ':$1'))) {
      const routes = group.map(
        (operation) => [operation.method, { handler: versioned(version, handlers.serve(operation)), operation }] as const,
      );
      addPath(app, versionPath(version.major) + path, new Map(routes), handlers, limitsOf);
    }
    for (const operation of served.filter(({ name }) => name === streamedOperation)) {
      const routes = new Map([['GET', { handler: versioned(version, handlers.serveStream(operation)), operation }]] as const);
      addPath(app, versionPath(version.major) + streamPathOf(operation.path), routes, handlers, limitsOf);
    }
    for (const operation of served) {
      const calendar = calendars[operation.name];
      if (calendar === undefined) continue;
      const handler = versioned(version, handlers.serveCalendar(operation, calendar));
      const routes = new Map([['GET', { handler, operation }]] as const);
      addPath(app, `${versionPath(version.major)}${operation.path}.ics`, routes, handlers, limitsOf);
    }
  }

  function addPages(app: FastifyInstance, pages: readonly Page[]): void {
    for (const { path, handler } of pages)
      addPath(app, path, new Map([['GET', { handler, operation: null }]]), handlers, limitsOf);
  }

  function unknownPath(request: FastifyRequest): Problem {
    const [, major] = /^\/api\/v(\d+)(?:[/?]|$)/.exec(request.url) ?? [];
    const isKnown = major === undefined || table.some((row) => String(row.major) === major);
    if (isKnown) return new Problem('not_found', 'There is no resource at this path. See /docs for all paths.');
    const supported = live();
    const detail = `Version v${major} of this API does not exist. Use ${supported.join(' or ')}.`;
    return new Problem('not_found', detail, { versions: supported });
  }

  function addApi(app: FastifyInstance, pages: readonly Page[]): void {
    app.removeAllContentTypeParsers();
    // parsed only once the operation is known, so that an invalid body is charged like any rejected request
    app.addContentTypeParser(
      ['application/json', 'application/merge-patch+json', ...imageTypes],
      { parseAs: 'buffer' },
      (_, bytes, done) => {
        done(null, bytes);
      },
    );
    // an unknown path is rejected before its body is read
    app.addHook('onRequest', async (request, reply) => {
      if (!request.is404) return;
      if (request.method === 'OPTIONS') sendProblem(reply.headers(exposed), unknownPath(request));
      else await handlers.reject(request, reply, unknownPath(request));
    });
    app.setNotFoundHandler((request, reply) => handlers.reject(request, reply, unknownPath(request)));
    app.setErrorHandler((error, request, reply) => {
      const { bodyLimit, config } = request.routeOptions;
      const isAborted = request.raw.destroyed && !request.raw.complete;
      const problem = isAborted
        ? new Problem('malformed_json', 'The request body is incomplete.')
        : withImageTypes(toProblem(error, bodyLimit), byName.get(config.operation ?? ''));
      if (problem.code === 'internal') request.log.error({ err: error }, 'REST request failed');
      return handlers.reject(request, reply, problem, config.operation ?? null);
    });
    for (const version of table) addVersion(app, version);
    addPages(app, pages);
  }

  return async (app) => {
    // Fastify does not know it by default: an unsupported method is 405, not 404
    if (!app.supportedMethods.includes('QUERY')) app.addHttpMethod('QUERY');
    const pages = [...documentationPages(options, table), ...statusPages(options)];
    const isApi = ({ path }: Page): boolean => path.startsWith(prefix);
    addPages(
      app,
      pages.filter((page) => !isApi(page)),
    );
    const api = (scope: FastifyInstance, _: object, done: () => void): void => {
      addApi(scope, pages.filter(isApi));
      done();
    };
    await app.register(api, { prefix });
    const major = Math.max(...table.map((version) => version.major));
    await app.register(createMcp({ ...options, sportOf, validatorsOf, limitsOf, major }));
  };
}
