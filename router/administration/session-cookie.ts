/** The session cookie, and the administrator viewer of a request that carries it. */
import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../schema/errors.ts';
import { administratorViewer, type Viewer } from '../../schema/viewer.ts';
import type { OpenSession, Sessions } from './sessions.ts';

/** The prefix limits the cookie to this host, to HTTPS (or localhost) and to the path / (RFC 6265bis, 4.1.3.2). */
const name = '__Host-session';
export const cookieOptions = {
  path: '/',
  httpOnly: true,
  secure: true,
  sameSite: 'lax',
} as const satisfies CookieSerializeOptions;

const shape = /^[\w-]{43}$/;

/** The session token of a request; null when it is missing or malformed. */
export function tokenOf({ cookies }: FastifyRequest): string | null {
  const token = cookies[name] ?? '';
  return shape.test(token) ? token : null;
}

export const setSessionCookie = (reply: FastifyReply, token: string): FastifyReply => reply.setCookie(name, token, cookieOptions);

export const clearSessionCookie = (reply: FastifyReply): FastifyReply => reply.clearCookie(name, cookieOptions);

/** The session of a request, with its last use updated; null without one. Background requests of a page do not count as use. */
export async function sessionOf(sessions: Sessions, request: FastifyRequest): Promise<OpenSession | null> {
  const token = tokenOf(request);
  if (token === null) return null;
  // read on every request, so that a disabled administrator or a changed role takes effect at once
  const session = await sessions.open(token);
  if (session?.touchDue !== true || request.headers['x-background'] === 'true') return session;
  return sessions.touch(token);
}

/** The administrator of a request. Throws Problem sign_in_required (401). */
export async function administratorOf(sessions: Sessions, request: FastifyRequest): Promise<Viewer> {
  const session = await sessionOf(sessions, request);
  if (session === null) throw new Problem('sign_in_required', 'No active session. Sign in as an administrator.');
  const { id, role } = session.administrator;
  return administratorViewer({ id, role, address: request.clientAddress, sessionId: session.id });
}
