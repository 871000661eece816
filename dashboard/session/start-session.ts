/** Starts a session with a request of the sign-in. */
import { app } from '../graph/app.ts';
import { RequestError } from '../graph/request-error.ts';
import { requestJson } from '../graph/request.ts';
import type { Session } from './session.ts';

/** Signs in, then checks that the browser stored the cookie. Without the check, the page would redirect in a loop. */
export async function startSession(path: '/session' | '/session/passkey', body: unknown): Promise<Session> {
  const created = await requestJson<Session>(`${app.base}${path}`, { method: 'POST', body });
  const stored = await requestJson<Session>(`${app.base}/session`);
  if (stored.state === 'SIGNED_IN') return created;
  throw new RequestError('Your browser did not store the session cookie. Open this page over HTTPS or at localhost.', {
    code: 'sign_in_failed',
  });
}

/** The message of a failed sign-in. */
export function signInMessage({ code, message, retryAfter }: RequestError): string {
  if (code !== 'rate_limited') return message;
  const minutes = Math.ceil((retryAfter ?? 60) / 60);
  return `Too many attempts. Try again in ${minutes === 1 ? '1 minute' : `${minutes} minutes`}.`;
}
