/** Sign-in with an OpenID provider: `/admin/oidc` redirects to the provider, `/admin/oidc/callback` completes it; the same below `/portal`. */
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { toProblem } from '../../platform/http/problem.ts';
import { Problem } from '../../schema/errors.ts';
import type { RegistrationLimit } from '../portal/registration-limit.ts';
import type { NetworkLimit } from './network-limit.ts';
import type { OidcProvider, PendingSignIn } from './oidc.ts';
import { noteRejection } from './rejection-facts.ts';
import { cookieOptions, type SessionCookie } from './session-cookie.ts';
import type { Identity, Sessions, SignInClient, StartedSession } from './sessions.ts';
import { clientOf } from './sign-in-request.ts';

export interface OidcRoutesOptions {
  readonly provider: OidcProvider;
  readonly sessions: Pick<Sessions<unknown>, 'labelOf' | 'signInByIdentity'>;
  readonly base: '/admin' | '/portal';
  readonly cookie: SessionCookie;
  readonly publicUrl: string | null;
  /** Limits requests per network: each may cost requests to the provider. */
  readonly limit: NetworkLimit;
  /** Limits the registrations of a network; default: no limit, for a provider that cannot register users. */
  readonly registrations?: RegistrationLimit | undefined;
}

/**
 * The cookies that the browser holds during the sign-in. They are not signed: an attacker who could set one could also set one that
 * was signed for their own sign-in. The `__Host-` prefix prevents other hosts from setting them.
 */
const cookieNames = { '/admin': '__Host-oidc', '/portal': '__Host-portal-oidc' } as const;
const pendingSeconds = 600;

const baseOf = ({ protocol, host }: FastifyRequest, publicUrl: string | null): string =>
  publicUrl === null ? `${protocol}://${host}` : new URL(publicUrl).origin;

const isString = (value: unknown): value is string => typeof value === 'string';

function pendingOf(cookie: string | undefined): PendingSignIn | null {
  try {
    const given: unknown = JSON.parse(Buffer.from(cookie ?? '', 'base64url').toString());
    if (typeof given !== 'object' || given === null) return null;
    const { state, nonce, verifier }: Partial<Record<keyof PendingSignIn, unknown>> = given;
    return isString(state) && isString(nonce) && isString(verifier) ? { state, nonce, verifier } : null;
  } catch {
    return null;
  }
}

/** Signs in. Only an identity that gets an own account counts as a registration, so that known users are not limited. */
async function signIn(
  { sessions, registrations }: Pick<OidcRoutesOptions, 'sessions' | 'registrations'>,
  identity: Identity,
  client: SignInClient,
): Promise<StartedSession<unknown>> {
  if (!identity.registers || registrations === undefined) return sessions.signInByIdentity(identity, client);
  try {
    return await sessions.signInByIdentity({ ...identity, registers: false, admitsInvited: false }, client);
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'sign_in_failed') throw error;
    registrations.attempts.check(client.address);
    return registrations.run(client.address, () => sessions.signInByIdentity(identity, client));
  }
}

/** The routes; they need @fastify/cookie. Errors redirect to the sign-in page with the problem code. */
export const oidcRoutes: FastifyPluginAsync<OidcRoutesOptions> = async (app, options) => {
  const { provider, base, cookie: sessionCookie, publicUrl, limit } = options;
  const cookieName = cookieNames[base];
  const callback = `${base}/oidc/callback`;
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('cache-control', 'no-store');
    limit.check(request.clientAddress);
    done();
  });
  app.setErrorHandler((error, request, reply) => {
    const { code } = toProblem(error);
    noteRejection(request, code, options.sessions.labelOf);
    if (code === 'internal') request.log.error({ err: error }, 'OpenID Connect sign-in failed');
    return reply.clearCookie(cookieName, cookieOptions).redirect(`${base}/sign-in?problem=${code}`, 302);
  });

  app.get(`${base}/oidc`, async (request, reply) => {
    const { location, pending } = await provider.start(`${baseOf(request, publicUrl)}${callback}`);
    const cookie = Buffer.from(JSON.stringify(pending)).toString('base64url');
    return reply.setCookie(cookieName, cookie, { ...cookieOptions, maxAge: pendingSeconds }).redirect(location, 302);
  });
  app.get(callback, async (request, reply) => {
    const pending = pendingOf(request.cookies[cookieName]);
    if (pending === null)
      throw new Problem('sign_in_failed', 'No sign-in is in progress in this browser, or it has expired. Start again.');
    const identity = await provider.complete(new URL(request.url, baseOf(request, publicUrl)), pending);
    const { token } = await signIn(options, identity, clientOf(request, sessionCookie));
    return sessionCookie.set(reply.clearCookie(cookieName, cookieOptions), token).redirect(base, 302);
  });
  await Promise.resolve();
};
