/** The cookie of a session, and the viewer that a request with it is. */
import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../schema/errors.ts';
import { administratorViewer, type Viewer } from '../../schema/viewer.ts';
import type { OpenSession, Sessions } from './sessions.ts';

/** The prefix makes browsers hold it to this host, to HTTPS (or localhost) and to the whole path (RFC 6265bis, 4.1.3.2). */
const name = '__Host-session';
export const cookieOptions = {
  path: '/',
  httpOnly: true,
  secure: true,
  sameSite: 'lax',
} as const satisfies CookieSerializeOptions;

const shape = /^[\w-]{43}$/;

/** The token of a request; null without one, or with what is none. */
export function tokenOf({ cookies }: FastifyRequest): string | null {
  const token = cookies[name] ?? '';
  return shape.test(token) ? token : null;
}

export const setSessionCookie = (reply: FastifyReply, token: string): FastifyReply => reply.setCookie(name, token, cookieOptions);

export const clearSessionCookie = (reply: FastifyReply): FastifyReply => reply.clearCookie(name, cookieOptions);

/** The session of a request, and that it is used noted; null without one. What a page asks by itself does not count as use. */
export async function sessionOf(sessions: Sessions, request: FastifyRequest): Promise<OpenSession | null> {
  const token = tokenOf(request);
  if (token === null) return null;
  // asked each time: who is disabled, or has another role, is so with the next request
  const session = await sessions.open(token);
  if (session?.touchDue !== true || request.headers['x-background'] === 'true') return session;
  return sessions.touch(token);
}

/** Who administers with this request. Throws Problem sign_in_required (401). */
export async function administratorOf(sessions: Sessions, request: FastifyRequest): Promise<Viewer> {
  const session = await sessionOf(sessions, request);
  if (session === null) throw new Problem('sign_in_required', 'Sign in as an administrator: there is no session, or it is over.');
  const { id, role } = session.administrator;
  return administratorViewer({ id, role, address: request.clientAddress, sessionId: session.id });
}
