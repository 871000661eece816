/** The member of a request to the graph of the portal: the session of the cookie, and the account and data that the headers name. */
import type { FastifyRequest } from 'fastify';
import { Problem } from '../../schema/errors.ts';
import { inSandbox, memberViewer, type Viewer } from '../../schema/viewer.ts';
import { createSessionCookie } from '../administration/session-cookie.ts';
import type { SessionLimit } from '../administration/session-limit.ts';
import type { PortalSessions } from './members.ts';

export const userCookie = createSessionCookie('__Host-portal-session');

const accountHeader = 'x-account-id';
const modeHeader = 'x-data-mode';
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const isAccountId = (text: string): boolean => uuid.test(text);

/** The account that the client chose in the header; null without a valid one. */
function accountOf({ headers }: FastifyRequest): string | null {
  const given = headers[accountHeader];
  return typeof given === 'string' && isAccountId(given) ? given : null;
}

const noSession = (): Problem => new Problem('sign_in_required', 'No active session. Sign in to the portal.');

export interface MembershipOptions {
  readonly sessions: Pick<PortalSessions, 'labelOf' | 'open' | 'openInAccount' | 'touch'>;
  readonly limit: SessionLimit;
  /** Whether the account can be suspended; default: no. */
  readonly includesSuspended?: boolean;
}

/** Whether the client chose the test data of its account. Throws Problem parameter_invalid (400). */
function isTestMode({ headers }: FastifyRequest): boolean {
  const mode = headers[modeHeader] ?? 'LIVE';
  if (mode === 'LIVE' || mode === 'TEST') return mode === 'TEST';
  throw new Problem('parameter_invalid', `The header ${modeHeader} must be LIVE or TEST.`);
}

export interface MemberOfRequest {
  readonly viewer: Viewer;
  /** Whether the plan of the account includes write access, or the request works on test data. */
  readonly writes: boolean;
  readonly userId: string;
  readonly accountId: string;
}

/**
 * The member of a request, in an account that is by default that of the header. Session and membership are read on every request, so that a removed member or a closed account has no access with the next one.
 * Throws Problem sign_in_required (401), account_unavailable (403), parameter_invalid (400) or rate_limited (429).
 */
export async function memberOf(
  { sessions, limit, includesSuspended = false }: MembershipOptions,
  request: FastifyRequest,
  account = accountOf(request),
): Promise<MemberOfRequest> {
  const token = userCookie.tokenOf(request);
  if (token === null) throw noSession();
  if (account === null) {
    if ((await limit.read(token, request.clientAddress, sessions.open)) === null) throw noSession();
    throw new Problem('parameter_invalid', `The header ${accountHeader} must be the ID of one of your accounts.`);
  }
  const accountId = account.toLowerCase();
  const open = (known: string) => sessions.openInAccount(known, accountId, includesSuspended);
  const session = await limit.read(token, request.clientAddress, open);
  if (session === null) throw noSession();
  if (session.touchDue && request.headers['x-background'] !== 'true') await sessions.touch(token);
  const { membership } = session;
  if (membership === null)
    throw new Problem('account_unavailable', 'You are not a member of this account, or it is suspended or closed.');
  const { role, plan } = membership;
  const isTest = isTestMode(request);
  // as for test keys: an account integrates before it chooses a plan with write access
  const writes = membership.writes || isTest;
  const userId = session.user.id;
  const member = { userId, role, address: sessions.labelOf(request.clientAddress), sessionId: session.id };
  const viewer = memberViewer(member, { accountId, plan, writes });
  // the sandbox is that of the account of the membership: no request names another one
  return { viewer: isTest ? inSandbox(viewer, accountId) : viewer, writes, userId, accountId };
}
