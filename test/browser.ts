/** A browser and the people who sit before it: real Chromium over a world. */
import type { Page } from 'playwright-core';
import type { AdministratorClient } from './administrator.ts';
import type { openBrowser as open } from './open-browser.ts';
import { outside } from './outside.ts';

export interface Look {
  readonly width?: number;
  readonly height?: number;
}

/** Somebody at a browser of his own: no cookie is shared with other visits. */
export interface Visit {
  /** `page.goto('/admin')` opens the dashboard of the world. */
  readonly page: Page;
  /** From now on with the session of somebody, as `world.administrator()` gives it. */
  signIn(who: Pick<AdministratorClient, 'cookie'>): Promise<void>;
  /** Since the last call: errors of the page, what its policy refused, requests to other hosts. */
  faults(): string[];
  /** What axe finds on the page as it stands, in light and dark; `except` are selectors of what is not ours. */
  barriers(except?: readonly string[]): Promise<string[]>;
  /** Screenshots, wide and narrow, light and dark, where SCREENSHOTS names a folder. */
  show(name: string): Promise<void>;
  close(): Promise<void>;
}

export interface Browser {
  /** A new visit of the platform at an address, such as `world.restUrl`. */
  visit(origin: string, look?: Look): Promise<Visit>;
  close(): Promise<void>;
}

/** Opens a browser; one for a file, closed at its end. Builds the dashboard when it is stale. */
export async function openBrowser(): Promise<Browser> {
  const outer = await outside<{ openBrowser: typeof open }>('test/open-browser.ts');
  return outer.openBrowser();
}
