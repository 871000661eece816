/** The routes of the dashboard: path, validated search parameters, and the lazily loaded component. */
import type { QueryClient } from '@tanstack/react-query';
import { createRoute, createRouter } from '@tanstack/react-router';
import { roleNames } from '../schema/roles.ts';
import { idPattern, listSearch } from './components/list-search.ts';
import { deliveriesSearch } from './components/webhooks/webhook-search.ts';
import { root, signedIn } from './parent-routes.tsx';
import { accountsSearch } from './screens/accounts/accounts-search.ts';
import { keysSearch } from './screens/keys/keys-search.ts';
import { administratorStatuses } from './screens/administrators/administrators-search.ts';
import { auditFilters } from './screens/audit/audit-search.ts';
import { partnerRequestsSearch } from './screens/partner-requests/partner-requests-search.ts';
import { portalUsersSearch } from './screens/portal-users/portal-users-search.ts';
import { tabNames } from './screens/moderation/queue-names.ts';
import { eventsSearch } from './screens/events/events-search.ts';
import { allRequestsSearch } from './screens/requests/requests-search.ts';
import { savedSearchesSearch } from './screens/saved-searches/saved-searches-search.ts';
import { webhooksSearch } from './screens/webhooks/webhooks-search.ts';
import { signInSearch } from './session/sign-in-search.ts';
import { lazyRouteComponent } from './shell/lazy-screen.ts';
import { ScreenError } from './shell/screen-error.tsx';

interface IssueKeySearch {
  /** Preselected account. */
  readonly account?: string | undefined;
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

const screens = [
  createRoute({
    getParentRoute: () => signedIn,
    path: '/',
    validateSearch: listSearch({ span: ['HOUR', 'DAY'] }),
    component: lazyRouteComponent(() => import('./screens/overview/overview.tsx'), 'Overview'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/keys',
    validateSearch: listSearch(keysSearch),
    component: lazyRouteComponent(() => import('./screens/keys/keys.tsx'), 'Keys'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/keys/issue',
    validateSearch: (search): IssueKeySearch => ({ account: text(search['account']) }),
    component: lazyRouteComponent(() => import('./screens/keys/issue-key.tsx'), 'IssueKey'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/keys/$id',
    component: lazyRouteComponent(() => import('./screens/keys/key.tsx'), 'Key'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/requests',
    validateSearch: listSearch(allRequestsSearch),
    component: lazyRouteComponent(() => import('./screens/requests/requests.tsx'), 'Requests'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/accounts',
    validateSearch: listSearch(accountsSearch),
    component: lazyRouteComponent(() => import('./screens/accounts/accounts.tsx'), 'Accounts'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/accounts/$id',
    component: lazyRouteComponent(() => import('./screens/accounts/account.tsx'), 'Account'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/plans',
    validateSearch: listSearch({}),
    component: lazyRouteComponent(() => import('./screens/plans/plans.tsx'), 'Plans'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/plans/$code',
    component: lazyRouteComponent(() => import('./screens/plans/plan.tsx'), 'Plan'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/moderation',
    validateSearch: listSearch({ queue: tabNames, view: 'text', action: 'text' }),
    component: lazyRouteComponent(() => import('./screens/moderation/moderation.tsx'), 'Moderation'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/moderation/organizations/$id',
    component: lazyRouteComponent(() => import('./screens/moderation/organization.tsx'), 'OrganizationScreen'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/moderation/athletes/$id',
    component: lazyRouteComponent(() => import('./screens/moderation/athlete.tsx'), 'AthleteScreen'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/partner-requests',
    validateSearch: listSearch(partnerRequestsSearch),
    component: lazyRouteComponent(() => import('./screens/partner-requests/partner-requests.tsx'), 'PartnerRequests'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/partner-requests/plans/$id',
    component: lazyRouteComponent(() => import('./screens/partner-requests/plan-request.tsx'), 'PlanRequest'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/partner-requests/verifications/$id',
    component: lazyRouteComponent(() => import('./screens/partner-requests/verification-request.tsx'), 'VerificationRequest'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/audit',
    validateSearch: listSearch(auditFilters),
    component: lazyRouteComponent(() => import('./screens/audit/audit.tsx'), 'Audit'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/webhooks',
    validateSearch: listSearch(webhooksSearch),
    component: lazyRouteComponent(() => import('./screens/webhooks/webhooks.tsx'), 'Webhooks'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/webhooks/$id',
    validateSearch: listSearch(deliveriesSearch),
    component: lazyRouteComponent(() => import('./screens/webhooks/webhook.tsx'), 'Webhook'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/webhooks/$id/deliveries/$delivery',
    component: lazyRouteComponent(() => import('./screens/webhooks/delivery.tsx'), 'Delivery'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/saved-searches',
    validateSearch: listSearch(savedSearchesSearch),
    component: lazyRouteComponent(() => import('./screens/saved-searches/saved-searches.tsx'), 'SavedSearches'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/events',
    validateSearch: listSearch(eventsSearch),
    component: lazyRouteComponent(() => import('./screens/events/events.tsx'), 'Events'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/event-delivery',
    component: lazyRouteComponent(() => import('./screens/event-delivery/event-delivery.tsx'), 'EventDelivery'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/event-delivery/$area/$consumer',
    validateSearch: listSearch({}),
    component: lazyRouteComponent(() => import('./screens/event-delivery/consumer.tsx'), 'Consumer'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/incidents',
    validateSearch: listSearch({ open: ['YES', 'NO'] }),
    component: lazyRouteComponent(() => import('./screens/incidents/incidents.tsx'), 'Incidents'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/incidents/$id',
    component: lazyRouteComponent(() => import('./screens/incidents/incident.tsx'), 'Incident'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/announcements',
    validateSearch: listSearch({ announcement: idPattern }),
    component: lazyRouteComponent(() => import('./screens/announcements/announcements.tsx'), 'Announcements'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/administrators',
    validateSearch: listSearch({ status: administratorStatuses, role: roleNames }),
    component: lazyRouteComponent(() => import('./screens/administrators/administrators.tsx'), 'Administrators'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/portal-users',
    validateSearch: listSearch(portalUsersSearch),
    component: lazyRouteComponent(() => import('./screens/portal-users/portal-users.tsx'), 'PortalUsers'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/portal-users/$id',
    component: lazyRouteComponent(() => import('./screens/portal-users/portal-user.tsx'), 'PortalUser'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/own-account',
    component: lazyRouteComponent(() => import('./screens/own-account/own-account.tsx'), 'OwnAccount'),
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
    path: '/setup',
    component: lazyRouteComponent(() => import('./session/setup.tsx'), 'Setup'),
  }),
] as const;

const tree = root.addChildren([signedIn.addChildren(screens), ...signedOutScreens]);

export function createDashboardRouter(client: QueryClient) {
  return createRouter({
    routeTree: tree,
    basepath: '/admin',
    context: { client },
    defaultPreload: 'intent',
    defaultErrorComponent: ScreenError,
    scrollRestoration: true,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createDashboardRouter>;
  }
}
