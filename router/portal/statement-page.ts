/** `/portal/accounts/{id}/statements/{month}`: the page for print of a statement, which the portal opens in its own tab. */
import type { FastifyPluginAsync } from 'fastify';
import { printedPagePolicy } from '../../platform/http/printed-page.ts';
import { pageHeaders } from '../../platform/http/security-headers.ts';
import { Problem } from '../../schema/errors.ts';
import { protectRoutes } from '../administration/sign-in-routes.ts';
import type { MemberBudget } from './member-budget.ts';
import { isAccountId, memberOf } from './member-of-request.ts';
import type { PortalSessions } from './members.ts';

export interface StatementPageOptions {
  readonly sessions: PortalSessions;
  readonly publicUrl: string | null;
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

/** The route; it needs @fastify/cookie. Its account is in the path, because a link cannot send the header of the graph. */
export const statementPageRoute: FastifyPluginAsync<StatementPageOptions> = async (app, { sessions, publicUrl, budget }) => {
  protectRoutes(app, publicUrl, undefined);
  app.get<{ Params: Params }>('/portal/accounts/:account/statements/:month', async (request, reply) => {
    const { account, month } = request.params;
    if (!isAccountId(account) || !monthPattern.test(month)) throw notFound();
    const member = await memberOf(sessions, request, account).catch(withoutSession);
    if (member === null) return reply.redirect(`/portal/statements/${month}`, 303);
    const { userId, accountId } = member;
    const rejection = budget.consume(userId, accountId, 1);
    if (rejection !== null) {
      reply.headers(rejection.headers);
      throw rejection.problem;
    }
    const page = await sessions.statementPage(accountId, month);
    if (page === null) throw notFound();
    return reply
      .headers({ ...pageHeaders, 'content-security-policy': printedPagePolicy, 'cache-control': 'private, no-store' })
      .type('text/html; charset=utf-8')
      .send(page);
  });
  await Promise.resolve();
};
