/** The REST door: every annotated operation as a Fastify route, and a problem for everything else under /api. */
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { GraphQLSchema } from 'graphql';
import { sendProblem, toProblem } from '../platform/problem.ts';
import type { Door, DoorAnswer } from '../schema/door.ts';
import { errors, Problem } from '../schema/errors.ts';
import { callerOf } from './caller.ts';
import { exposed, preflight } from './cors.ts';
import type { Operation } from './operation.ts';
import { freePages } from './pages.ts';
import type { Page } from './pages.ts';
import { present, collectionsOf } from './present.ts';
import { problemOf } from './failure.ts';
import { createReader } from './read-request.ts';
import { unsupportedBody } from './media-type.ts';
import { createChecks } from './validate.ts';
import { isSunset, versionHeaders, versionPath, versions } from './versions.ts';
import type { Major } from './versions.ts';

export interface BridgeOptions {
  readonly door: Door;
  readonly apiSchema: GraphQLSchema;
  readonly operations: readonly Operation[];
  /** Scheme and host in links, when the Host header is not what clients use. */
  readonly publicUrl?: string | null;
  readonly versions?: readonly Major[];
  readonly now?: () => number;
}

const prefix = '/api';
const bodyLimitBytes = 1024 * 1024;
const batchBodyLimitBytes = 8 * bodyLimitBytes;
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/**
 * Makes the plugin that serves /api, /docs and /.well-known/api-catalog.
 * Whatever it refuses by itself is admitted and charged through the door first, so that probing is not free.
 */
export function createBridge(options: BridgeOptions): FastifyPluginAsync {
  const { door, operations } = options;
  const table = options.versions ?? versions;
  const now = options.now ?? Date.now;
  const checksOf = createChecks(options.apiSchema);
  const collectionOf = collectionsOf(operations);

  /** The door's answer; a door that fails answers with that. */
  async function ask(
    request: FastifyRequest,
    operation: string | null,
    variables: Readonly<Record<string, unknown>>,
  ): Promise<DoorAnswer> {
    try {
      return await door.execute({ operation, variables, caller: callerOf(request) });
    } catch (fault) {
      request.log.error({ err: fault, operation }, 'The router failed');
      const { code } = toProblem(fault);
      return {
        data: null,
        errors: [{ message: '', extensions: { code } }],
        headers: {},
        keyed: false,
        notes: {},
        settle: () => undefined,
      };
    }
  }

  async function refuse(request: FastifyRequest, reply: FastifyReply, problem: Problem): Promise<FastifyReply> {
    const admitted = await ask(request, null, {});
    const final = admitted.errors.length > 0 ? problemOf(admitted.errors, null) : problem;
    reply.headers(admitted.headers);
    admitted.settle({ status: errors[final.code].status });
    return sendProblem(reply.headers(exposed), final);
  }

  function baseOf(request: FastifyRequest): string {
    if (options.publicUrl) return options.publicUrl.replace(/\/$/, '');
    return /^[\w.[\]:-]+$/.test(request.host) ? `${request.protocol}://${request.host}` : '';
  }

  function serve(operation: Operation): Handler {
    const read = createReader(operation, checksOf(operation));
    const collection = collectionOf(operation);
    return async (request, reply) => {
      const refusal = unsupportedBody(request, operation.method);
      if (refusal) return refuse(request, reply, refusal);
      let asked;
      try {
        asked = read({
          url: request.url,
          params: request.params as Record<string, string>,
          headers: request.headers,
          body: request.body,
        });
      } catch (fault) {
        if (fault instanceof Problem) return refuse(request, reply, fault);
        throw fault;
      }
      // A batch of which no item can be sent is charged as a refusal, and answers all the same.
      const nothingToSend = asked.batch !== null && asked.batch.items.length === 0;
      const answer = await ask(request, nothingToSend ? null : asked.documentId, nothingToSend ? {} : asked.variables);
      reply.headers(answer.headers);
      try {
        const whole =
          nothingToSend && answer.errors.length === 0 ? { ...answer, data: { [operation.rootName]: { data: [] } } } : answer;
        const { headers, body, status } = present(operation, asked, whole, {
          url: request.url,
          base: baseOf(request),
          ifNoneMatch: request.headers['if-none-match'],
          ifMatch: request.headers['if-match'],
          collection,
        });
        answer.settle({ status });
        return await reply
          .code(status)
          .headers(exposed)
          .headers(withLinks(headers, reply))
          .send(body ?? undefined);
      } catch (fault) {
        const problem = fault instanceof Problem ? fault : problemOf([], operation);
        if (problem !== fault) request.log.error({ err: fault, operation: operation.name }, 'The answer could not be presented');
        answer.settle({ status: errors[problem.code].status });
        return sendProblem(reply.headers(exposed), problem);
      }
    };
  }

  /** Routes of one path: what it serves, what it allows, and 405 for the rest (before any body is read). */
  function addPath(
    app: FastifyInstance,
    path: string,
    served: ReadonlyMap<string, { handler: Handler; operation: Operation | null }>,
  ): void {
    const url = path.startsWith(app.prefix) ? path.slice(app.prefix.length) : path;
    const allowed = [...served.keys(), ...(served.has('GET') ? ['HEAD'] : []), 'OPTIONS'].sort();
    const allow = allowed.join(', ');
    for (const [method, { handler, operation }] of served) {
      const bodyLimit = operation?.answer === 'batch' ? batchBodyLimitBytes : bodyLimitBytes;
      app.route({
        method: method === 'GET' ? ['GET', 'HEAD'] : [method],
        url,
        bodyLimit,
        config: { operation: operation?.name ?? null },
        handler,
      });
    }
    const others = methods.filter((method) => !allowed.includes(method));
    const refuseMethod: Handler = (request, reply) =>
      refuse(
        request,
        reply.header('allow', allow),
        new Problem('method_not_allowed', `${request.method} is not possible here; ${allow} are.`),
      );
    if (others.length > 0) app.route({ method: [...others], url, onRequest: refuseMethod, handler: refuseMethod });
    app.route({
      method: 'OPTIONS',
      url,
      handler: (_, reply) =>
        reply
          .code(204)
          .headers(preflight(served.has('GET')))
          .header('allow', allow)
          .send(),
    });
  }

  function addMajor(app: FastifyInstance, major: Major): void {
    const dated = versionHeaders(major, table);
    const unlessSunset =
      (handler: Handler): Handler =>
      (request, reply) => {
        reply.headers(dated.headers);
        if (dated.link !== null) reply.header('link', dated.link);
        if (!isSunset(major, now())) return handler(request, reply);
        return refuse(
          request,
          reply,
          new Problem('gone', `v${major.major} of this API is no longer served.`, { versions: live() }),
        );
      };
    const own = operations.filter((operation) => operation.major === major.major);
    const paths = Map.groupBy(own, (operation) => operation.path.replaceAll(/\{(\w+)\}/g, ':$1'));
    for (const [path, group] of paths) {
      addPath(
        app,
        versionPath(major.major) + path,
        new Map(group.map((operation) => [operation.method, { handler: unlessSunset(serve(operation)), operation }])),
      );
    }
  }

  function live(): string[] {
    return table.filter((row) => !isSunset(row, now())).map((row) => `v${row.major}`);
  }

  function nowhere(request: FastifyRequest): Problem {
    const [, major] = /^\/api\/v(\d+)(?:[/?]|$)/.exec(request.url) ?? [];
    if (major === undefined || table.some((row) => String(row.major) === major))
      return new Problem('not_found', 'There is nothing at this path.');
    return new Problem('not_found', `There is no v${major} of this API; known are ${live().join(', ')}.`, { versions: live() });
  }

  const pages = freePages(options, table);
  const api = (app: FastifyInstance): void => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser(['application/json', 'application/merge-patch+json'], { parseAs: 'buffer' }, (_, bytes, done) => {
      done(null, bytes);
    });
    // A missing path is told before its body is read.
    app.addHook('onRequest', async (request, reply) => {
      if (!request.is404) return;
      await (request.method === 'OPTIONS'
        ? sendProblem(reply.headers(exposed), nowhere(request))
        : refuse(request, reply, nowhere(request)));
    });
    app.setNotFoundHandler((request, reply) => refuse(request, reply, nowhere(request)));
    app.setErrorHandler((fault, request, reply) => {
      const problem = toProblem(fault);
      if (problem.code === 'internal') request.log.error({ err: fault }, 'A REST request failed');
      return refuse(request, reply, problem);
    });
    for (const major of table) addMajor(app, major);
    addPages(
      app,
      pages.filter((page) => page.path.startsWith(prefix)),
    );
  };
  return async (app) => {
    await app.register(
      (scope, _, done) => {
        api(scope);
        done();
      },
      { prefix },
    );
    addPages(
      app,
      pages.filter((page) => !page.path.startsWith(prefix)),
    );
  };

  function addPages(app: FastifyInstance, some: readonly Page[]): void {
    for (const page of some) addPath(app, page.path, new Map([['GET', { handler: page.handler, operation: null }]]));
  }
}

/** The headers of an answer, with the links that the version already set kept beside its own. */
function withLinks(headers: Readonly<Record<string, string>>, reply: FastifyReply): Readonly<Record<string, string>> {
  const set = reply.getHeader('link');
  return typeof set === 'string' && headers['link'] !== undefined ? { ...headers, link: `${headers['link']}, ${set}` } : headers;
}
