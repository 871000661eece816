/** The portal of partners on the public server: sign-in, registration where it is allowed, and the GraphQL API of members. */
import cookie from '@fastify/cookie';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { createNetworkLimit } from '../../router/administration/network-limit.ts';
import { createOidcProvider, type OidcSettings } from '../../router/administration/oidc.ts';
import { oidcRoutes } from '../../router/administration/oidc-routes.ts';
import { rejectForgery } from '../../router/administration/request-forgery.ts';
import { createSessionLimit } from '../../router/administration/session-limit.ts';
import { createSignInRoutes, signInRequestsPerMinute } from '../../router/administration/sign-in-routes.ts';
import { portalGraphqlApi } from '../../router/graphql/api.ts';
import type { NewOperationsPerMinute } from '../../router/graphql/new-operations.ts';
import { createMemberBudget, type MemberLimits } from '../../router/portal/member-budget.ts';
import { memberOf, userCookie } from '../../router/portal/member-of-request.ts';
import { statementPageRoutes } from '../../router/portal/statement-page.ts';
import { portalRoutes, userView } from '../../router/portal/portal-routes.ts';
import { createRegistrationLimit } from '../../router/portal/registration-limit.ts';
import type { Router } from '../router.ts';

export interface PortalOptions {
  /** The OpenID provider for partners, in addition to passwords. */
  readonly oidc?: OidcSettings | null | undefined;
  /** Whether anyone can register. Default: only invited people have access. */
  readonly registration?: boolean | undefined;
  /** Limits of members on the graph of the portal. */
  readonly limits?: MemberLimits | undefined;
}

interface PortalServerOptions extends PortalOptions {
  readonly log: Logger;
  readonly publicUrl: string | null;
  readonly newOperationsPerMinute?: NewOperationsPerMinute | undefined;
}

/** Adds the portal. Without CORS, so that other sites cannot call it. */
export async function addPortal(
  app: FastifyInstance,
  { graph, versions, portalSessions: sessions }: Router,
  { log, publicUrl, oidc, registration = false, limits, newOperationsPerMinute }: PortalServerOptions,
): Promise<void> {
  const provider = oidc
    ? createOidcProvider({ ...oidc, registers: registration }, (reason) => log.warn({ reason }, 'OpenID sign-in failed'))
    : null;
  const registrations = createRegistrationLimit();
  const limit = createNetworkLimit(signInRequestsPerMinute);
  const sessionLimit = createSessionLimit();
  const budget = createMemberBudget(limits);
  await app.register(async (scope) => {
    await scope.register(cookie);
    await scope.register(
      createSignInRoutes({
        base: '/portal',
        sessions,
        cookie: userCookie,
        publicUrl,
        providerName: provider?.name ?? null,
        view: userView,
        signedOut: () => Promise.resolve({ registration }),
        limit,
        sessionLimit,
      }),
    );
    await scope.register(portalRoutes, { sessions, publicUrl, limit, registration, registrations });
    await scope.register(statementPageRoutes, { sessions, publicUrl, limit: sessionLimit, budget });
    if (provider !== null)
      await scope.register(oidcRoutes, {
        provider,
        sessions,
        base: '/portal',
        cookie: userCookie,
        publicUrl,
        limit,
        registrations,
      });
    await scope.register(portalGraphqlApi, {
      graph,
      versions,
      schemas: versions.schemas(),
      authenticate(request) {
        rejectForgery(request, publicUrl);
        return memberOf({ sessions, limit: sessionLimit }, request);
      },
      budget,
      log,
      newOperationsPerMinute,
    });
  });
}
