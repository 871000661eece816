/** Loads the code of a screen. While the platform does not respond, the screen displays an error instead of the browser's error page. */
import { lazyRouteComponent as lazyComponent } from '@tanstack/react-router';
import { app } from '../graph/app.ts';
import { outage } from '../graph/outage.ts';
import { RequestError } from '../graph/request-error.ts';
import { requestJson } from '../graph/request.ts';

/** A failed import has no status: checks whether the platform responds at all. */
async function explain(error: unknown): Promise<never> {
  try {
    await requestJson(`${app.base}/session`, { background: true });
  } catch (failure) {
    if (failure instanceof RequestError && failure.code === 'unreachable') {
      outage.set(true);
      throw failure;
    }
  }
  // the file does not exist anymore, because the platform has a newer build: the router reloads the page once
  throw error;
}

/** The component of a route that loads its code with the first navigation to it, and again after a failure. */
export const lazyRouteComponent = <Module extends Record<string, unknown>, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
) => lazyComponent(() => load().catch(explain), name);
