/** A headless browser for tests of the dashboard. */
import type { Page } from 'playwright-core';
import type { AdministratorClient } from './administrator.ts';
import type { openBrowser as open } from './open-browser.ts';
import { outside } from './outside.ts';

/** The size of the viewport. */
export interface ViewOptions {
  readonly width?: number;
  readonly height?: number;
}

/** A page with its own cookies. */
export interface Visit {
  /** `page.goto('/admin')` opens the dashboard of the platform. */
  readonly page: Page;
  /** Uses the session of an administrator from now on. */
  signIn(administrator: Pick<AdministratorClient, 'cookie'>): Promise<void>;
  /** Returns since the last call: exceptions of the page, violations of its policy, requests to other hosts. */
  faults(): string[];
  /** Returns the accessibility violations of the current page, at its width and at 390 px, in light and dark. `except` lists selectors of third-party elements. */
  barriers(except?: readonly string[]): Promise<string[]>;
  /** Takes screenshots, wide and narrow, light and dark, when SCREENSHOTS names a folder. */
  show(name: string): Promise<void>;
  close(): Promise<void>;
}

export interface Browser {
  /** Opens a page at an origin, such as `platform.restUrl`. */
  visit(origin: string, viewOptions?: ViewOptions): Promise<Visit>;
  /** Closes the pages of this test file. */
  close(): Promise<void>;
}

/** Opens the browser; close it at the end of the test file. test/global-setup.js has built the dashboard. */
export async function openBrowser(): Promise<Browser> {
  const outer = await outside<{ openBrowser: typeof open }>('test/open-browser.ts');
  return outer.openBrowser();
}
