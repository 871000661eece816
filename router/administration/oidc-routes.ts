/** The way to the OpenID provider and back: `/admin/oidc` and `/admin/oidc/callback`, both by redirects. */
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { toProblem } from '../../platform/http/problem.ts';
import { Problem } from '../../schema/errors.ts';
import type { OidcProvider, PendingSignIn } from './oidc.ts';
import { cookieOptions, setSessionCookie } from './session-cookie.ts';
import { clientOf } from './sign-in-routes.ts';
import type { Sessions } from './sessions.ts';

export interface OidcRoutesOptions {
  readonly provider: OidcProvider;
  readonly sessions: Sessions;
  readonly publicUrl: string | null;
}

/**
 * What the browser keeps while it is at the provider. It is not signed: whoever could plant one of his own could as well plant one that
 * we signed for him; that nobody plants one is what the prefix is for.
 */
const name = '__Host-oidc';
const pendingSeconds = 600;
const callback = '/admin/oidc/callback';

const baseOf = ({ protocol, host }: FastifyRequest, publicUrl: string | null): string =>
  publicUrl === null ? `${protocol}://${host}` : new URL(publicUrl).origin;

const isText = (value: unknown): value is string => typeof value === 'string';

function pendingOf(cookie: string | undefined): PendingSignIn | null {
  try {
    const given: unknown = JSON.parse(Buffer.from(cookie ?? '', 'base64url').toString());
    if (typeof given !== 'object' || given === null) return null;
    const { state, nonce, verifier } = given as Readonly<Record<keyof PendingSignIn, unknown>>;
    return isText(state) && isText(nonce) && isText(verifier) ? { state, nonce, verifier } : null;
  } catch {
    return null;
  }
}

/** The routes of sign-in by an OpenID provider; needs @fastify/cookie. Faults are told on the sign-in page, which is named the code. */
export const oidcRoutes: FastifyPluginAsync<OidcRoutesOptions> = async (app, { provider, sessions, publicUrl }) => {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('cache-control', 'no-store');
    done();
  });
  app.setErrorHandler((fault, request, reply) => {
    const { code } = toProblem(fault);
    if (code === 'internal') request.log.error({ err: fault }, 'sign-in by the OpenID provider failed');
    return reply.clearCookie(name, cookieOptions).redirect(`/admin/sign-in?problem=${code}`, 302);
  });

  app.get('/admin/oidc', async (request, reply) => {
    const { location, pending } = await provider.start(`${baseOf(request, publicUrl)}${callback}`);
    const kept = Buffer.from(JSON.stringify(pending)).toString('base64url');
    return reply.setCookie(name, kept, { ...cookieOptions, maxAge: pendingSeconds }).redirect(location, 302);
  });
  app.get(callback, async (request, reply) => {
    const pending = pendingOf(request.cookies[name]);
    if (pending === null) throw new Problem('sign_in_failed', 'This browser asked for no sign-in, or too long ago.');
    const identity = await provider.complete(new URL(request.url, baseOf(request, publicUrl)), pending);
    const { token } = await sessions.signInByIdentity(identity, clientOf(request));
    return setSessionCookie(reply.clearCookie(name, cookieOptions), token).redirect('/admin', 302);
  });
  await Promise.resolve();
};
