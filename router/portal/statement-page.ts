/** `/portal/accounts/{id}/statements`: the months with a statement; with a month, its page for print, which the portal opens in its own tab. */
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { printedPagePolicy } from '../../platform/http/printed-page.ts';
import { pageHeaders } from '../../platform/http/security-headers.ts';
import { Problem } from '../../schema/errors.ts';
import { protectRoutes } from '../administration/sign-in-routes.ts';
import type { SessionLimit } from '../administration/session-limit.ts';
import type { MemberBudget } from './member-budget.ts';
import { isAccountId, memberOf } from './member-of-request.ts';
import type { PortalSessions } from './members.ts';

export interface StatementPageOptions {
  readonly sessions: PortalSessions;
  readonly publicUrl: string | null;
  readonly limit: SessionLimit;
  readonly budget: MemberBudget;
}

interface Params {
  readonly account: string;
  readonly month: string;
}

const monthPattern = /^[1-9]\d{3}-(0[1-9]|1[0-2])$/;

/** Null for a request without an open session: the screen of the statement asks for the sign-in. */
function withoutSession(error: unknown): null {
  if (error instanceof Problem && error.code === 'sign_in_required') return null;
  throw error;
}

const notFound = (): Problem => new Problem('not_found', 'The account has no statement of this month.');

/**
 * The routes; they need @fastify/cookie. Members of a suspended account use them too, because it owes its statements. The account is in the path: a link
 * cannot send the header of the graph.
 */
export const statementPageRoutes: FastifyPluginAsync<StatementPageOptions> = async (app, options) => {
  const { sessions, publicUrl, limit, budget } = options;
  protectRoutes(app, { publicUrl, labelOf: sessions.labelOf });

  /** The ID of the account of a member, whose unit is charged. Throws the Problem of memberOf, not_found (404) or rate_limited (429). */
  async function chargedAccount(request: FastifyRequest, reply: FastifyReply, account: string): Promise<string> {
    if (!isAccountId(account)) throw notFound();
    const { userId, accountId } = await memberOf({ sessions, limit, includesSuspended: true }, request, account);
    const rejection = budget.consume(userId, accountId, 1);
    if (rejection === null) return accountId;
    reply.headers(rejection.headers);
    throw rejection.problem;
  }

  app.get<{ Params: Pick<Params, 'account'> }>('/portal/accounts/:account/statements', async (request, reply) => {
    const accountId = await chargedAccount(request, reply, request.params.account);
    return { data: await sessions.statementMonths(accountId) };
  });
  app.get<{ Params: Params }>('/portal/accounts/:account/statements/:month', async (request, reply) => {
    const { account, month } = request.params;
    if (!monthPattern.test(month)) throw notFound();
    const accountId = await chargedAccount(request, reply, account).catch(withoutSession);
    if (accountId === null) return reply.redirect(`/portal/statements/${month}`, 303);
    const page = await sessions.statementPage(accountId, month);
    if (page === null) throw notFound();
    return reply
      .headers({ ...pageHeaders, 'content-security-policy': printedPagePolicy, 'cache-control': 'private, no-store' })
      .type('text/html; charset=utf-8')
      .send(page);
  });
  await Promise.resolve();
};
