/** Sign-in over HTTP: `/admin/session`, `/admin/setup`, `/admin/password`. JSON bodies, RFC 9457 problems. */
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { Problem, rejectInvalid } from '../../schema/errors.ts';
import { toProblem } from '../../platform/http/problem.ts';
import { rejectForgery } from './request-forgery.ts';
import { setSessionCookie, sessionOf, clearSessionCookie, tokenOf } from './session-cookie.ts';
import type { OpenSession, Sessions, SignInClient, StartedSession } from './sessions.ts';

export interface SignInOptions {
  readonly sessions: Sessions;
  readonly publicUrl: string | null;
  /** Label of the OpenID sign-in button; null without a provider. */
  readonly providerName: string | null;
}

const lengthMax = 2_000;

/** String members of a body; an optional one may be absent or null. Throws Problem validation_failed (422) with every violation. */
function stringsOf<Required extends string, Optional extends string = never>(
  body: unknown,
  required: readonly Required[],
  optional: readonly Optional[] = [],
): Record<Required, string> & Record<Optional, string | null> {
  const given: Readonly<Record<string, unknown>> = typeof body === 'object' && body !== null ? { ...body } : {};
  const names: readonly string[] = [...required, ...optional];
  const isAbsent = (name: string): boolean => given[name] === undefined || given[name] === null;
  const violationOf = (name: string) => {
    const pointer = `/${name}`;
    const value = given[name];
    if (isAbsent(name)) {
      return required.some((each) => each === name) && { pointer, code: 'required', detail: 'is required' };
    }
    if (typeof value !== 'string') return { pointer, code: 'type', detail: 'must be a string' };
    if (value.includes('\0') || !value.isWellFormed())
      return { pointer, code: 'invalid', detail: 'must not contain NUL characters or unpaired surrogates' };
    return value.length > lengthMax && { pointer, code: 'too_long', detail: `must be at most ${lengthMax} characters long` };
  };
  rejectInvalid(names.map(violationOf));
  const entries = names.map((name) => [name, isAbsent(name) ? null : given[name]]);
  // Cast: rejectInvalid has checked that each value is a string and that no required one is absent
  return Object.fromEntries(entries) as Record<Required, string> & Record<Optional, string | null>;
}

/** The client of a sign-in request. */
export const clientOf = (request: FastifyRequest): SignInClient => ({
  address: request.clientAddress,
  userAgent: request.headers['user-agent']?.slice(0, 200) ?? null,
  replaces: tokenOf(request),
});

const signedIn = ({ administrator, signedInBy, idleExpiresAt, expiresAt }: OpenSession) => ({
  state: 'SIGNED_IN',
  administrator,
  signedInBy,
  idleExpiresAt,
  expiresAt,
});

/** The sign-in routes; they need @fastify/cookie. */
export const signInRoutes: FastifyPluginAsync<SignInOptions> = async (app, { sessions, publicUrl, providerName }) => {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('cache-control', 'no-store');
    rejectForgery(request, publicUrl);
    done();
  });
  app.setErrorHandler((error, _request, reply) => {
    const { retryAfterSeconds } = toProblem(error).extensions;
    if (typeof retryAfterSeconds === 'number') reply.header('retry-after', retryAfterSeconds);
    throw error;
  });

  // otherwise the CORS wildcard of /graphql would answer for these paths too
  app.options('/admin/*', () => {
    throw new Problem('method_not_allowed', 'This endpoint does not support CORS.');
  });

  const startSession = (reply: FastifyReply, { token, session }: StartedSession): FastifyReply =>
    setSessionCookie(reply, token).send(signedIn(session));

  app.get('/admin/session', async (request, reply) => {
    const session = await sessionOf(sessions, request);
    if (session !== null) return signedIn(session);
    if (tokenOf(request) !== null) clearSessionCookie(reply);
    const oidc = providerName === null ? null : { name: providerName };
    return { state: 'SIGNED_OUT', setUp: await sessions.hasAdministrators(), providers: { password: true, oidc } };
  });
  app.post('/admin/session', async (request, reply) => {
    const input = stringsOf(request.body, ['email', 'password']);
    return startSession(reply, await sessions.signIn(input, clientOf(request)));
  });
  const endSession = (everywhere: boolean) => async (request: FastifyRequest, reply: FastifyReply) => {
    const token = tokenOf(request);
    if (token !== null) await sessions.end(token, everywhere, request.clientAddress);
    return clearSessionCookie(reply).code(204).send();
  };
  app.delete('/admin/session', endSession(false));
  app.delete('/admin/sessions', endSession(true));
  app.post('/admin/setup/look', async ({ body }) => sessions.lookUpSetup(stringsOf(body, ['token']).token));
  app.post('/admin/setup', async (request, reply) => {
    const input = stringsOf(request.body, ['token', 'password'], ['name', 'email']);
    return startSession(reply, await sessions.completeSetup(input, clientOf(request)));
  });
  app.post('/admin/password', async (request, reply) => {
    const token = tokenOf(request);
    const passwords = stringsOf(request.body, ['current', 'next']);
    const changed = token !== null && (await sessions.changePassword({ token, ...passwords, address: request.clientAddress }));
    if (!changed) throw new Problem('sign_in_required', 'No active session. Sign in first.');
    return reply.code(204).send();
  });
  await Promise.resolve();
};
