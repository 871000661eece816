/** What the sign-in routes read of a request: the client, and the open session. */
import type { FastifyRequest } from 'fastify';
import { Problem } from '../../schema/errors.ts';
import type { SessionCookie } from './session-cookie.ts';
import type { SignInClient } from './sessions.ts';

/** No body of these routes is longer. */
export const bodyLimit = 4 * 1024;

/** The client of a sign-in request. */
export const clientOf = (request: FastifyRequest, cookie: SessionCookie): SignInClient => ({
  address: request.clientAddress,
  userAgent: request.headers['user-agent']?.slice(0, 200) ?? null,
  replaces: cookie.tokenOf(request),
});

/** Returns a function that runs work with the token of the open session; null means that the session has ended. Throws Problem sign_in_required (401). */
export const inSession =
  (cookie: SessionCookie) =>
  async <Result>(request: FastifyRequest, work: (token: string) => Promise<Result | null>): Promise<Result> => {
    const token = cookie.tokenOf(request);
    const result = token === null ? null : await work(token);
    if (result === null) throw new Problem('sign_in_required', 'No active session. Sign in first.');
    return result;
  };
