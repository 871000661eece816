/** Passkeys over HTTP: `/admin/passkeys` registers and removes them, `/admin/session/passkey` signs in, and the same below `/portal`. */
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../schema/errors.ts';
import { passkeyOriginOf, relyingPartyOf, type RelyingParty } from './relying-party.ts';
import { stringsOf } from './request-strings.ts';
import { cookieOptions, type SessionCookie } from './session-cookie.ts';
import type { SessionLimit } from './session-limit.ts';
import type { Sessions, StartedSession } from './sessions.ts';
import { bodyLimit, clientOf, inSession } from './sign-in-request.ts';

interface PasskeyRoutesOptions<Session> {
  readonly base: '/admin' | '/portal';
  readonly sessions: Sessions<Session>;
  readonly cookie: SessionCookie;
  readonly publicUrl: string | null;
  readonly sessionLimit: SessionLimit;
  readonly startSession: (reply: FastifyReply, started: StartedSession<Session>) => FastifyReply;
}

/** The cookies with the challenge of a sign-in, which bind it to the browser. */
const cookieNames = { '/admin': '__Host-passkey', '/portal': '__Host-portal-passkey' } as const;
const challengeSeconds = 300;
/** A longer value is no challenge. */
const cookieLengthMax = 200;

/** The routes; they need @fastify/cookie and the hooks of sign-in routes. */
export const passkeyRoutes =
  <Session>({
    base,
    sessions,
    cookie,
    publicUrl,
    sessionLimit,
    startSession,
  }: PasskeyRoutesOptions<Session>): FastifyPluginAsync =>
  async (app) => {
    const cookieName = cookieNames[base];
    const withSession = inSession(cookie);

    function requireRelyingParty(request: FastifyRequest): RelyingParty {
      const found = relyingPartyOf(request, publicUrl);
      if (found !== null) return found;
      const origin = passkeyOriginOf(request, publicUrl);
      const place = origin === null ? 'They need a host name in PUBLIC_URL.' : `Use ${origin}${base}.`;
      throw new Problem('not_found', `Passkeys do not work at this address. ${place}`);
    }

    app.get(`${base}/passkeys`, async (request) => {
      const passkeys = await withSession(request, (token) => sessionLimit.read(token, request.clientAddress, sessions.passkeys));
      return { origin: passkeyOriginOf(request, publicUrl), passkeys };
    });
    app.post(`${base}/passkeys/options`, { bodyLimit }, async (request) => {
      const proof = { ...stringsOf(request.body, ['current'], ['code']), address: request.clientAddress };
      const relyingParty = requireRelyingParty(request);
      return withSession(request, (token) => sessions.preparePasskey({ token, ...proof, relyingParty }));
    });
    app.post(`${base}/passkeys`, { bodyLimit }, async (request, reply) => {
      const input = stringsOf(request.body, ['name', 'clientDataJSON', 'attestationObject']);
      const proof = { input, address: request.clientAddress, relyingParty: requireRelyingParty(request) };
      return reply.code(201).send(await withSession(request, (token) => sessions.confirmPasskey({ token, ...proof })));
    });
    app.delete<{ Params: { id: string } }>(`${base}/passkeys/:id`, async (request, reply) => {
      const proof = { id: request.params.id, address: request.clientAddress };
      await withSession(request, (token) => sessions.removePasskey({ token, ...proof }));
      return reply.code(204).send();
    });
    app.post(`${base}/session/passkey/options`, { bodyLimit }, async (request, reply) => {
      const { token, options } = await sessions.createPasskeyChallenge(requireRelyingParty(request));
      return reply.setCookie(cookieName, token, { ...cookieOptions, maxAge: challengeSeconds }).send(options);
    });
    app.post(`${base}/session/passkey`, { bodyLimit }, async (request, reply) => {
      const input = stringsOf(request.body, ['id', 'clientDataJSON', 'authenticatorData', 'signature', 'userHandle']);
      const relyingParty = requireRelyingParty(request);
      const challenge = (request.cookies[cookieName] ?? '').slice(0, cookieLengthMax);
      reply.clearCookie(cookieName, cookieOptions);
      const proof = { input, challenge, relyingParty, client: clientOf(request, cookie) };
      return startSession(reply, await sessions.signInByPasskey(proof));
    });
    await Promise.resolve();
  };
