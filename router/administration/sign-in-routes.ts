/** Sign-in over HTTP: `/admin/session`, `/admin/setup`, `/admin/password`, `/admin/second-factor`, and the same below `/portal`. JSON bodies, RFC 9457 problems. */
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../schema/errors.ts';
import { toProblem } from '../../platform/http/problem.ts';
import { parseUtf8Bodies } from '../../platform/http/utf8-body.ts';
import type { LabelOf } from './network-labels.ts';
import type { NetworkLimit } from './network-limit.ts';
import { passkeyRoutes } from './passkey-routes.ts';
import { noteRejection } from './rejection-facts.ts';
import { passkeyOriginOf } from './relying-party.ts';
import { isReadMethod, rejectForgery } from './request-forgery.ts';
import { stringsOf } from './request-strings.ts';
import type { SessionCookie } from './session-cookie.ts';
import type { SessionLimit } from './session-limit.ts';
import type { Sessions, SessionTimes, StartedSession } from './sessions.ts';
import { bodyLimit, clientOf, inSession } from './sign-in-request.ts';

export interface SignInOptions<Session extends SessionTimes> {
  /** Path of the application. */
  readonly base: '/admin' | '/portal';
  readonly sessions: Sessions<Session>;
  readonly cookie: SessionCookie;
  readonly publicUrl: string | null;
  /** Label of the OpenID sign-in button; null without a provider. */
  readonly providerName: string | null;
  /** The members of a session that the page reads. */
  readonly view: (session: Session) => object;
  /** Further members for a browser without a session. */
  readonly signedOut: () => Promise<object>;
  /** Limits requests per network before a body is read. */
  readonly limit: NetworkLimit;
  readonly sessionLimit: SessionLimit;
}

/** Requests of sign-in per network and minute; each costs at most a password hash. */
export const signInRequestsPerMinute = { max: 60, windowMs: 60_000 };

export const sessionView = ({ signedInBy, idleExpiresAt, expiresAt }: SessionTimes) => ({
  state: 'SIGNED_IN',
  signedInBy,
  idleExpiresAt,
  expiresAt,
});

/** The sign-in routes of a population, with the hooks that protect them; they need @fastify/cookie. */
export function createSignInRoutes<Session extends SessionTimes>({
  base,
  sessions,
  cookie,
  publicUrl,
  providerName,
  view,
  signedOut,
  limit,
  sessionLimit,
}: SignInOptions<Session>): FastifyPluginAsync {
  const withSession = inSession(cookie);
  const startSession = (reply: FastifyReply, { token, session }: StartedSession<Session>): FastifyReply =>
    cookie.set(reply, token).send(view(session));

  return async (app) => {
    protectRoutes(app, { publicUrl, limit, labelOf: sessions.labelOf });
    // otherwise the CORS wildcard of /graphql would answer for these paths too
    app.options(`${base}/*`, () => {
      throw new Problem('method_not_allowed', 'This endpoint does not support CORS.');
    });

    app.get(`${base}/session`, async (request, reply) => {
      const session = await cookie.sessionOf(sessions, request, sessionLimit);
      if (session !== null) return view(session);
      if (cookie.tokenOf(request) !== null) cookie.clear(reply);
      const oidc = providerName === null ? null : { name: providerName };
      const passkey = { origin: passkeyOriginOf(request, publicUrl) };
      return { state: 'SIGNED_OUT', ...(await signedOut()), providers: { password: true, oidc, passkey } };
    });
    app.post(`${base}/session`, async (request, reply) => {
      const input = stringsOf(request.body, ['email', 'password'], ['code']);
      return startSession(reply, await sessions.signIn(input, clientOf(request, cookie)));
    });
    const endSession = (everywhere: boolean) => async (request: FastifyRequest, reply: FastifyReply) => {
      const token = cookie.tokenOf(request);
      if (token !== null) await sessions.end(token, everywhere, request.clientAddress);
      // the browser forgets what it cached; its storage has settings only
      return cookie.clear(reply).header('clear-site-data', '"cache"').code(204).send();
    };
    app.delete(`${base}/session`, endSession(false));
    app.delete(`${base}/sessions`, endSession(true));
    app.post(`${base}/setup/look`, async ({ body }) => sessions.lookUpSetup(stringsOf(body, ['token']).token));
    app.post(`${base}/setup`, async (request, reply) => {
      const input = stringsOf(request.body, ['token', 'password'], ['name', 'email', 'code']);
      return startSession(reply, await sessions.completeSetup(input, clientOf(request, cookie)));
    });
    app.post(`${base}/password`, async (request, reply) => {
      const change = { ...stringsOf(request.body, ['current', 'next']), address: request.clientAddress };
      await withSession(request, async (token) => (await sessions.changePassword({ token, ...change })) || null);
      return reply.code(204).send();
    });
    await app.register(secondFactorRoutes(base, sessions, cookie));
    await app.register(passkeyRoutes({ base, sessions, cookie, publicUrl, sessionLimit, startSession }));
  };
}

/** Setup and removal of the second factor. */
const secondFactorRoutes =
  (base: string, sessions: Sessions<unknown>, cookie: SessionCookie): FastifyPluginAsync =>
  async (app) => {
    const withSession = inSession(cookie);
    app.post(`${base}/second-factor`, async (request) => {
      const { current } = stringsOf(request.body, ['current']);
      return withSession(request, (token) => sessions.prepareSecondFactor({ token, current, address: request.clientAddress }));
    });
    app.post(`${base}/second-factor/confirmation`, async (request) => {
      const { code } = stringsOf(request.body, ['code']);
      const proof = { code, address: request.clientAddress };
      return { recoveryCodes: await withSession(request, (token) => sessions.confirmSecondFactor({ token, ...proof })) };
    });
    app.post(`${base}/second-factor/removal`, async (request, reply) => {
      const proof = { ...stringsOf(request.body, ['current', 'code']), address: request.clientAddress };
      await withSession(request, (token) => sessions.removeSecondFactor({ token, ...proof }));
      return reply.code(204).send();
    });
    await Promise.resolve();
  };

interface Protection {
  readonly publicUrl: string | null;
  /** Limits requests per network; default: no limit. */
  readonly limit?: NetworkLimit | undefined;
  readonly labelOf: LabelOf;
}

/** Adds the request-forgery check, the limits of a network and of bodies, the parser of bodies, and the headers and log facts of problems to the routes of a scope. */
export function protectRoutes(app: Parameters<FastifyPluginAsync>[0], { publicUrl, limit, labelOf }: Protection): void {
  parseUtf8Bodies(app);
  app.addHook('onRoute', (route) => void (route.bodyLimit ??= bodyLimit));
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('cache-control', 'no-store');
    rejectForgery(request, publicUrl);
    if (!isReadMethod(request.method)) limit?.check(request.clientAddress);
    done();
  });
  app.setErrorHandler((error, request, reply) => {
    const { code, extensions } = toProblem(error);
    const { retryAfterSeconds } = extensions;
    noteRejection(request, code, labelOf);
    if (typeof retryAfterSeconds === 'number') reply.header('retry-after', retryAfterSeconds);
    throw error;
  });
}
