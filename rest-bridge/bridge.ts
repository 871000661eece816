/** The REST door: every annotated operation as a Fastify route, and a problem for everything else under /api. */
import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify';
import type { GraphQLSchema } from 'graphql';
import { sendProblem, toProblem } from '../platform/http/problem.ts';
import type { EntryPoint } from '../schema/entry-point.ts';
import { Problem } from '../schema/errors.ts';
import { exposed, preflight } from './responses/cors.ts';
import { createRequestHandlers } from './request-handlers.ts';
import type { Handler } from './request-handlers.ts';
import type { Operation } from './operations/operation.ts';
import { documentationPages } from './documentation/pages.ts';
import type { Page } from './documentation/pages.ts';
import { createValidators } from './requests/validators.ts';
import { isSunset, versionHeaders, versionPath, versions } from './versions.ts';
import type { Major } from './versions.ts';

export interface BridgeOptions {
  readonly entryPoint: EntryPoint;
  /** schema/generated/api.graphql, built. */
  readonly apiSchema: GraphQLSchema;
  /** What loadOperations made of the same schema. */
  readonly operations: readonly Operation[];
  /** Scheme and host in links, which are relative without it. */
  readonly publicUrl?: string | null;
  readonly versions?: readonly Major[];
  readonly now?: () => number;
}

interface Served {
  readonly handler: Handler;
  readonly operation: Operation | null;
}

const prefix = '/api';
const bodyLimitBytes = 1024 * 1024;
const batchBodyLimitBytes = 8 * bodyLimitBytes;
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/**
 * Makes the plugin that serves /api, /docs and /.well-known/api-catalog.
 * Whatever it refuses by itself is admitted and charged through the door first, so that probing is not free.
 */
export function createBridge(options: BridgeOptions): FastifyPluginAsync {
  const { operations, entryPoint, publicUrl } = options;
  const table = options.versions ?? versions;
  const now = options.now ?? Date.now;
  const { admit, serve, reject } = createRequestHandlers({
    entryPoint,
    operations,
    publicUrl,
    validatorsOf: createValidators(options.apiSchema),
  });
  const live = (): string[] => table.filter((row) => !isSunset(row, now())).map((row) => `v${row.major}`);

  /** Routes of one path: what it serves, what it allows, and 405 for the rest (before any body is read). */
  function addPath(app: FastifyInstance, path: string, served: ReadonlyMap<string, Served>): void {
    const url = path.startsWith(app.prefix) ? path.slice(app.prefix.length) : path;
    const reads = served.has('GET');
    const allowed = [...served.keys(), ...(reads ? ['HEAD'] : []), 'OPTIONS'].sort();
    const allow = allowed.join(', ');
    for (const [method, { handler, operation }] of served) {
      const bodyLimit = operation?.responseKind === 'batch' ? batchBodyLimitBytes : bodyLimitBytes;
      const config = { operation: operation?.name ?? null };
      const hooks = operation === null || method === 'GET' ? {} : { onRequest: admit(operation) };
      app.route({ method: method === 'GET' ? ['GET', 'HEAD'] : [method], url, bodyLimit, config, handler, ...hooks });
    }
    const refuseMethod: Handler = (request, reply) => {
      const problem = new Problem('method_not_allowed', `${request.method} is not possible here; ${allow} are.`);
      return reject(request, reply.header('allow', allow), problem);
    };
    const others = methods.filter((method) => !allowed.includes(method));
    if (others.length > 0) app.route({ method: [...others], url, onRequest: refuseMethod, handler: refuseMethod });
    app.route({
      method: 'OPTIONS',
      url,
      handler: (_, reply) => reply.code(204).headers(preflight(reads)).header('allow', allow).send(),
    });
  }

  /** What every route of a major does first: tell of its end, and be gone after it. */
  function dated(major: Major, handler: Handler): Handler {
    const { headers, link } = versionHeaders(major, table);
    return (request, reply) => {
      reply.headers(headers);
      if (link !== null) reply.header('link', link);
      if (!isSunset(major, now())) return handler(request, reply);
      return reject(
        request,
        reply,
        new Problem('gone', `v${major.major} of this API is no longer served.`, { versions: live() }),
      );
    };
  }

  function addMajor(app: FastifyInstance, major: Major): void {
    const own = operations.filter((operation) => operation.major === major.major);
    for (const [path, group] of Map.groupBy(own, (operation) => operation.path.replaceAll(/\{(\w+)\}/g, ':$1'))) {
      const served = group.map(
        (operation) => [operation.method, { handler: dated(major, serve(operation)), operation }] as const,
      );
      addPath(app, versionPath(major.major) + path, new Map(served));
    }
  }

  function addPages(app: FastifyInstance, pages: readonly Page[]): void {
    for (const { path, handler } of pages) addPath(app, path, new Map([['GET', { handler, operation: null }]]));
  }

  function nowhere(request: FastifyRequest): Problem {
    const [, major] = /^\/api\/v(\d+)(?:[/?]|$)/.exec(request.url) ?? [];
    const known = major === undefined || table.some((row) => String(row.major) === major);
    if (known) return new Problem('not_found', 'There is no resource at this path.');
    return new Problem('not_found', `There is no v${major} of this API; known are ${live().join(', ')}.`, { versions: live() });
  }

  const { true: apiPages = [], false: otherPages = [] } = Object.groupBy(
    documentationPages(options, table),
    ({ path }) => `${path.startsWith(prefix)}`,
  );

  function addApi(app: FastifyInstance): void {
    app.removeAllContentTypeParsers();
    // Bytes stay bytes until the operation is known: what is wrong with them is charged like any refusal.
    app.addContentTypeParser(['application/json', 'application/merge-patch+json'], { parseAs: 'buffer' }, (_, bytes, done) => {
      done(null, bytes);
    });
    // A missing path is told before its body is read.
    app.addHook('onRequest', async (request, reply) => {
      if (!request.is404) return;
      if (request.method === 'OPTIONS') sendProblem(reply.headers(exposed), nowhere(request));
      else await reject(request, reply, nowhere(request));
    });
    app.setNotFoundHandler((request, reply) => reject(request, reply, nowhere(request)));
    app.setErrorHandler((violation, request, reply) => {
      const givenUp = request.raw.destroyed && !request.raw.complete;
      const problem = givenUp ? new Problem('malformed_json', 'The body ends before its end.') : toProblem(violation);
      if (problem.code === 'internal') request.log.error({ err: violation }, 'A REST request failed');
      const { config } = request.routeOptions;
      return reject(request, reply, problem, 'operation' in config ? (config.operation as string | null) : null);
    });
    for (const major of table) addMajor(app, major);
    addPages(app, apiPages);
  }

  return async (app) => {
    addPages(app, otherPages);
    const api = (scope: FastifyInstance, _: object, done: () => void): void => {
      addApi(scope);
      done();
    };
    await app.register(api, { prefix });
  };
}
