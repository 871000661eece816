/** The routes of the portal: path, validated search parameters, and the lazily loaded component. */
import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, createRouter, Outlet, redirect } from '@tanstack/react-router';
import { listSearch } from '../components/list-search.ts';
import { requestsSearch } from '../components/requests/requests-search.ts';
import { deliveriesSearch, endpointsSearch } from '../components/webhooks/webhook-search.ts';
import { takeReturnPath } from '../session/return-path.ts';
import { sessionQuery } from '../session/session.ts';
import { signInSearch } from '../session/sign-in-search.ts';
import { lazyRouteComponent } from '../shell/lazy-screen.ts';
import { NotFound } from '../shell/not-found.tsx';
import { PageError, ScreenError } from '../shell/screen-error.tsx';
import { selectRememberedAccount } from './session/account.ts';
import { modeSearch, retainMode } from './session/mode-search.ts';
import { activitySearch } from './screens/activity/activity-search.ts';
import { ownEventsSearch } from './screens/events/own-events-search.ts';
import { usageSearch } from './screens/usage/usage-search.ts';
import { partnerRequestsSearch } from './screens/partner-requests/partner-requests-search.ts';
import { Layout } from './shell/layout.tsx';

interface Context {
  readonly client: QueryClient;
}

const root = createRootRouteWithContext<Context>()({
  component: Outlet,
  notFoundComponent: NotFound,
  errorComponent: PageError,
});

/** The parent of all screens. Redirects to the sign-in without a session, and back afterwards. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: Layout,
  errorComponent: PageError,
  beforeLoad: async ({ context: { client }, location }) => {
    const session = await client.query({ ...sessionQuery, staleTime: 'static' });
    if (session.state === 'SIGNED_IN' && 'user' in session) {
      selectRememberedAccount(session);
      const returnPath = takeReturnPath();
      // eslint-disable-next-line @typescript-eslint/only-throw-error -- TanStack Router redirects by throwing
      if (returnPath !== null) throw redirect({ href: returnPath });
      return;
    }
    const back = location.href === '/' ? undefined : location.href;
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- TanStack Router redirects by throwing
    throw redirect({ to: '/sign-in', search: { back } });
  },
});

const screens = [
  createRoute({
    getParentRoute: () => signedIn,
    path: '/',
    component: lazyRouteComponent(() => import('./screens/overview/overview.tsx'), 'Overview'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/keys',
    validateSearch: listSearch({ status: ['ACTIVE', 'DISABLED', 'REVOKED'] }),
    component: lazyRouteComponent(() => import('./screens/keys/keys.tsx'), 'Keys'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/keys/create',
    component: lazyRouteComponent(() => import('./screens/keys/create-key.tsx'), 'CreateKey'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/keys/$id',
    component: lazyRouteComponent(() => import('./screens/keys/key.tsx'), 'Key'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/requests',
    validateSearch: listSearch(requestsSearch),
    component: lazyRouteComponent(() => import('./screens/requests/requests.tsx'), 'Requests'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/usage',
    validateSearch: listSearch(usageSearch),
    component: lazyRouteComponent(() => import('./screens/usage/usage.tsx'), 'Usage'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/statements',
    validateSearch: listSearch({}),
    component: lazyRouteComponent(() => import('./screens/statements/statements.tsx'), 'Statements'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/statements/$month',
    component: lazyRouteComponent(() => import('./screens/statements/statement.tsx'), 'Statement'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/webhooks',
    validateSearch: listSearch({ ...endpointsSearch, ...modeSearch }),
    search: retainMode,
    component: lazyRouteComponent(() => import('./screens/webhooks/webhooks.tsx'), 'Webhooks'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/webhooks/$id',
    validateSearch: listSearch({ ...deliveriesSearch, ...modeSearch }),
    search: retainMode,
    component: lazyRouteComponent(() => import('./screens/webhooks/webhook.tsx'), 'Webhook'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/webhooks/$id/deliveries/$delivery',
    validateSearch: listSearch(modeSearch),
    search: retainMode,
    component: lazyRouteComponent(() => import('./screens/webhooks/delivery.tsx'), 'Delivery'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/events',
    validateSearch: listSearch(ownEventsSearch),
    search: retainMode,
    component: lazyRouteComponent(() => import('./screens/events/events.tsx'), 'Events'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/plan',
    validateSearch: listSearch(partnerRequestsSearch),
    component: lazyRouteComponent(() => import('./screens/plan/plan.tsx'), 'Plan'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/verification',
    validateSearch: listSearch(partnerRequestsSearch),
    component: lazyRouteComponent(() => import('./screens/verification/verification.tsx'), 'Verification'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/announcements',
    validateSearch: listSearch({}),
    component: lazyRouteComponent(() => import('./screens/announcements/announcements.tsx'), 'Announcements'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/members',
    component: lazyRouteComponent(() => import('./screens/members/members.tsx'), 'Members'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/activity',
    validateSearch: listSearch(activitySearch),
    component: lazyRouteComponent(() => import('./screens/activity/activity.tsx'), 'Activity'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/profile',
    component: lazyRouteComponent(() => import('./screens/profile/profile.tsx'), 'Profile'),
  }),
] as const;

const signedOutScreens = [
  createRoute({
    getParentRoute: () => root,
    path: '/sign-in',
    validateSearch: signInSearch,
    component: lazyRouteComponent(() => import('./session/sign-in.tsx'), 'SignIn'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/register',
    component: lazyRouteComponent(() => import('./session/registration.tsx'), 'Registration'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/setup',
    component: lazyRouteComponent(() => import('./session/setup.tsx'), 'Setup'),
  }),
] as const;

const tree = root.addChildren([signedIn.addChildren(screens), ...signedOutScreens]);

export function createPortalRouter(client: QueryClient) {
  return createRouter({
    routeTree: tree,
    basepath: '/portal',
    context: { client },
    defaultPreload: 'intent',
    defaultErrorComponent: ScreenError,
    scrollRestoration: true,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createPortalRouter>;
  }
}
