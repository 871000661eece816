/** The APIs and pages of administrators and of the portal on a public server. */
import cookie from '@fastify/cookie';
import type { FastifyInstance } from 'fastify';
import { cachedFor } from '../../platform/cached-result.ts';
import { rejectForgery } from '../../router/administration/request-forgery.ts';
import { createNetworkLimit } from '../../router/administration/network-limit.ts';
import { createOidcProvider } from '../../router/administration/oidc.ts';
import { oidcRoutes } from '../../router/administration/oidc-routes.ts';
import { collectRoutes } from '../../router/administration/other-methods.ts';
import { administratorCookie, administratorOf } from '../../router/administration/session-cookie.ts';
import { createSessionLimit } from '../../router/administration/session-limit.ts';
import { createSignInRoutes, sessionView, signInRequestsPerMinute } from '../../router/administration/sign-in-routes.ts';
import { adminGraphqlApi } from '../../router/graphql/api.ts';
import type { Router } from '../router.ts';
import { pages } from './pages.ts';
import { addPortal } from './portal.ts';
import type { PublicServerOptions } from './public-server.ts';

/** Adds sign-in, the GraphQL API for administrators and the dashboard, and the same for the portal. Without CORS, so that other sites cannot call them. */
export async function addAdministration(
  app: FastifyInstance,
  router: Router,
  { log, publicUrl, oidc, portal, newOperationsPerMinute }: PublicServerOptions,
): Promise<void> {
  const { graph, versions, sessions } = router;
  const provider = oidc ? createOidcProvider(oidc, (reason) => log.warn({ reason }, 'OpenID sign-in failed')) : null;
  const limit = createNetworkLimit(signInRequestsPerMinute);
  const sessionLimit = createSessionLimit();
  // true stays true
  const isSetUp = cachedFor(
    1_000,
    () => sessions.hasAdministrators(),
    (has) => has,
  );
  const rejectOtherMethods = collectRoutes(app);
  await app.register(async (scope) => {
    await scope.register(cookie);
    await scope.register(
      createSignInRoutes({
        base: '/admin',
        sessions,
        cookie: administratorCookie,
        publicUrl,
        providerName: provider?.name ?? null,
        view: (session) => ({ ...sessionView(session), administrator: session.administrator }),
        signedOut: async () => ({ setUp: await isSetUp() }),
        limit,
        sessionLimit,
      }),
    );
    if (provider !== null)
      await scope.register(oidcRoutes, { provider, sessions, base: '/admin', cookie: administratorCookie, publicUrl, limit });
    await scope.register(adminGraphqlApi, {
      graph,
      versions,
      schemas: versions.schemas(),
      authenticate(request) {
        rejectForgery(request, publicUrl);
        return administratorOf(sessions, request, sessionLimit);
      },
      log,
    });
  });
  await addPortal(app, router, { ...portal, log, publicUrl, newOperationsPerMinute });
  rejectOtherMethods();
  await app.register(pages.add);
}
