/** The parents of the routes of the dashboard: the root, and the session that all screens require. */
import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, Outlet, redirect } from '@tanstack/react-router';
import { takeReturnPath } from './session/return-path.ts';
import { sessionQuery } from './session/session.ts';
import { Layout } from './shell/layout.tsx';
import { NotFound } from './shell/not-found.tsx';
import { PageError } from './shell/screen-error.tsx';

interface Context {
  readonly client: QueryClient;
}

export const root = createRootRouteWithContext<Context>()({
  component: Outlet,
  notFoundComponent: NotFound,
  errorComponent: PageError,
});

/** The parent of all screens. Redirects to the sign-in without a session, and back afterwards. */
export const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: Layout,
  errorComponent: PageError,
  beforeLoad: async ({ context: { client }, location }) => {
    const session = await client.query({ ...sessionQuery, staleTime: 'static' });
    if (session.state === 'SIGNED_IN') {
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
