/** The member of a request to the graph of the portal: the session of the cookie, and the account that the header names. */
import type { FastifyRequest } from 'fastify';
import { Problem } from '../../schema/errors.ts';
import { memberViewer, type Viewer } from '../../schema/viewer.ts';
import { createSessionCookie } from '../administration/session-cookie.ts';
import type { PortalSessions } from './members.ts';

export const userCookie = createSessionCookie('__Host-portal-session');

const accountHeader = 'x-account-id';
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const isAccountId = (text: string): boolean => uuid.test(text);

/** The account that the client chose in the header; null without a valid one. */
function accountOf({ headers }: FastifyRequest): string | null {
  const given = headers[accountHeader];
  return typeof given === 'string' && isAccountId(given) ? given : null;
}

const noSession = (): Problem => new Problem('sign_in_required', 'No active session. Sign in to the portal.');

export interface MemberOfRequest {
  readonly viewer: Viewer;
  /** Whether the plan of the account includes write access. */
  readonly writes: boolean;
  readonly userId: string;
  readonly accountId: string;
}

/**
 * The member of a request, in an account that is by default that of the header. Session and membership are read on every request, so that a removed member or a closed account has no access with the next one.
 * Throws Problem sign_in_required (401), account_unavailable (403) or parameter_invalid (400).
 */
export async function memberOf(
  sessions: Pick<PortalSessions, 'open' | 'openInAccount' | 'touch'>,
  request: FastifyRequest,
  account = accountOf(request),
): Promise<MemberOfRequest> {
  const token = userCookie.tokenOf(request);
  if (token === null) throw noSession();
  if (account === null) {
    if ((await sessions.open(token)) === null) throw noSession();
    throw new Problem('parameter_invalid', `The header ${accountHeader} must be the ID of one of your accounts.`);
  }
  const accountId = account.toLowerCase();
  const session = await sessions.openInAccount(token, accountId);
  if (session === null) throw noSession();
  if (session.touchDue && request.headers['x-background'] !== 'true') await sessions.touch(token);
  const { membership } = session;
  if (membership === null)
    throw new Problem('account_unavailable', 'You are not a member of this account, or it is suspended or closed.');
  const { role, plan, writes } = membership;
  const userId = session.user.id;
  const member = { userId, role, address: request.clientAddress, sessionId: session.id };
  return { viewer: memberViewer(member, { accountId, plan, writes }), writes, userId, accountId };
}
