/** The app of this page: the dashboard of administrators or the portal of partners. Both are built from the same modules. */
import { createPageState } from './flag.ts';

const isPortal = window.location.pathname.startsWith('/portal');

export const app = {
  /** Path of the app, and of its sign-in and graph. */
  base: isPortal ? '/portal' : '/admin',
  /** For texts: "Continue to the portal". */
  name: isPortal ? 'portal' : 'dashboard',
} as const;

/** The ID of the account of all requests to the graph of the portal; null in the dashboard and before a choice. */
export const selectedAccount = createPageState<string | null>(null);
