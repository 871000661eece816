/** Sign-in over HTTP: `/admin/session`, `/admin/setup`, `/admin/password`; JSON only, problems as everywhere. */
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { Problem, rejectInvalid } from '../../schema/errors.ts';
import { toProblem } from '../../platform/http/problem.ts';
import { rejectForgery } from './request-forgery.ts';
import { setSessionCookie, sessionOf, clearSessionCookie, tokenOf } from './session-cookie.ts';
import type { OpenSession, Sessions, SignInClient, StartedSession } from './sessions.ts';

export interface SignInOptions {
  readonly sessions: Sessions;
  readonly publicUrl: string | null;
  /** What the button for the OpenID provider says; null: there is none. */
  readonly providerName: string | null;
}

const textMax = 2_000;

/** Texts of a body by name; an optional one may be absent or null. Throws Problem validation_failed (422) naming every fault. */
function textsOf<Required extends string, Optional extends string = never>(
  body: unknown,
  required: readonly Required[],
  optional: readonly Optional[] = [],
): Record<Required, string> & Record<Optional, string | null> {
  const given: Readonly<Record<string, unknown>> = typeof body === 'object' && body !== null ? { ...body } : {};
  const names: readonly string[] = [...required, ...optional];
  const isAbsent = (name: string): boolean => given[name] === undefined || given[name] === null;
  const errorOf = (name: string) => {
    const pointer = `/${name}`;
    const value = given[name];
    if (isAbsent(name)) {
      return (required as readonly string[]).includes(name) && { pointer, code: 'required', detail: 'This member is missing.' };
    }
    if (typeof value !== 'string') return { pointer, code: 'type', detail: 'This member is a text.' };
    if (value.includes('\0') || !value.isWellFormed())
      return { pointer, code: 'invalid', detail: 'This member holds what no text does: NUL, or half of a character.' };
    return value.length > textMax && { pointer, code: 'too_long', detail: `This member has at most ${textMax} characters.` };
  };
  rejectInvalid(names.map(errorOf));
  const texts = names.map((name) => [name, isAbsent(name) ? null : given[name]]);
  // refuse has seen that each is a text, and that none of the required is absent
  return Object.fromEntries(texts) as Record<Required, string> & Record<Optional, string | null>;
}

/** Where a request came from. */
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

/** The routes of sign-in; needs @fastify/cookie. */
export const signInRoutes: FastifyPluginAsync<SignInOptions> = async (app, { sessions, publicUrl, providerName }) => {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('cache-control', 'no-store');
    rejectForgery(request, publicUrl);
    done();
  });
  app.setErrorHandler((fault, _request, reply) => {
    const { retryAfterSeconds } = toProblem(fault).extensions;
    if (typeof retryAfterSeconds === 'number') reply.header('retry-after', retryAfterSeconds);
    throw fault;
  });

  // else the wildcard of CORS on /graphql would answer for these paths as well
  app.options('/admin/*', () => {
    throw new Problem('method_not_allowed', 'No other site may ask here.');
  });

  const begin = (reply: FastifyReply, { token, session }: StartedSession): FastifyReply =>
    setSessionCookie(reply, token).send(signedIn(session));

  app.get('/admin/session', async (request, reply) => {
    const session = await sessionOf(sessions, request);
    if (session !== null) return signedIn(session);
    if (tokenOf(request) !== null) clearSessionCookie(reply);
    const oidc = providerName === null ? null : { name: providerName };
    return { state: 'SIGNED_OUT', setUp: await sessions.hasAdministrators(), providers: { password: true, oidc } };
  });
  app.post('/admin/session', async (request, reply) => {
    const input = textsOf(request.body, ['email', 'password']);
    return begin(reply, await sessions.signIn(input, clientOf(request)));
  });
  const end = (everywhere: boolean) => async (request: FastifyRequest, reply: FastifyReply) => {
    const token = tokenOf(request);
    if (token !== null) await sessions.end(token, everywhere, request.clientAddress);
    return clearSessionCookie(reply).code(204).send();
  };
  app.delete('/admin/session', end(false));
  app.delete('/admin/sessions', end(true));
  app.post('/admin/setup/look', async ({ body }) => sessions.lookUpSetup(textsOf(body, ['token']).token));
  app.post('/admin/setup', async (request, reply) => {
    const input = textsOf(request.body, ['token', 'password'], ['name', 'email']);
    return begin(reply, await sessions.completeSetup(input, clientOf(request)));
  });
  app.post('/admin/password', async (request, reply) => {
    const token = tokenOf(request);
    const passwords = textsOf(request.body, ['current', 'next']);
    const changed = token !== null && (await sessions.changePassword({ token, ...passwords, address: request.clientAddress }));
    if (!changed) throw new Problem('sign_in_required', 'Sign in first: there is no session, or it is over.');
    return reply.code(204).send();
  });
  await Promise.resolve();
};
