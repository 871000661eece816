/** The session cookies of administrators and portal users, and the administrator viewer of a request. */
import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { noteRequest } from '../../platform/telemetry/request-scope.ts';
import { Problem } from '../../schema/errors.ts';
import { administratorViewer, type Viewer } from '../../schema/viewer.ts';
import type { SessionLimit } from './session-limit.ts';
import type { Sessions, SessionTimes } from './sessions.ts';

/** The prefix limits the cookies to this host, to HTTPS (or localhost) and to the path / (RFC 6265bis, 4.1.3.2). */
export type SessionCookieName = '__Host-session' | '__Host-portal-session';

export const cookieOptions = {
  path: '/',
  httpOnly: true,
  secure: true,
  sameSite: 'lax',
} as const satisfies CookieSerializeOptions;

const shape = /^[\w-]{43}$/;

/** The session cookie of a population. A browser can have both. */
export function createSessionCookie(name: SessionCookieName) {
  /** The session token of a request; null when it is missing or malformed. */
  function tokenOf({ cookies }: FastifyRequest): string | null {
    const token = cookies[name] ?? '';
    return shape.test(token) ? token : null;
  }

  return {
    tokenOf,
    set: (reply: FastifyReply, token: string): FastifyReply => reply.setCookie(name, token, cookieOptions),
    clear: (reply: FastifyReply): FastifyReply => reply.clearCookie(name, cookieOptions),
    /**
     * The session of a request, with its last use updated; null without one. Background requests of a page do not count as use. Throws Problem
     * rate_limited (429).
     */
    async sessionOf<Session extends SessionTimes>(
      sessions: Pick<Sessions<Session>, 'open' | 'touch'>,
      request: FastifyRequest,
      limit: SessionLimit,
    ): Promise<Session | null> {
      const token = tokenOf(request);
      if (token === null) return null;
      // read on every request, so that a disabled person or a changed role takes effect at once
      const session = await limit.read(token, request.clientAddress, sessions.open);
      if (session !== null) noteRequest({ isAuthenticated: true, session: session.id });
      if (session?.touchDue !== true || request.headers['x-background'] === 'true') return session;
      return sessions.touch(token);
    },
  };
}

export type SessionCookie = ReturnType<typeof createSessionCookie>;

export const administratorCookie = createSessionCookie('__Host-session');

/** The administrator of a request. Throws Problem sign_in_required (401) or rate_limited (429). */
export async function administratorOf(sessions: Sessions, request: FastifyRequest, limit: SessionLimit): Promise<Viewer> {
  const session = await administratorCookie.sessionOf(sessions, request, limit);
  if (session === null) throw new Problem('sign_in_required', 'No active session. Sign in as an administrator.');
  const { id, role } = session.administrator;
  return administratorViewer({ id, role, address: sessions.labelOf(request.clientAddress), sessionId: session.id });
}
