/** Opens pages in a headless Chromium that all test files of a worker share. Runs outside of the sandbox of the test files. */
import { join } from 'node:path';
import { chromium, type Browser as Chromium, type BrowserContext, type Page } from 'playwright-core';
import { findBrowserBinary } from './browser-binary.ts';
import type { Browser, ViewOptions, Visit } from './browser.ts';
import { findBarriers, narrowViewport, setColorScheme } from './page-barriers.ts';
import { closeAfterRun } from './shared-resources.ts';

const screenshotFolder = process.env['SCREENSHOTS'];

const wideViewport = { width: 1440, height: 800 };

/** The console message of an error response, which the page itself displays. */
const expected = /^Failed to load resource: the server responded with a status of [45]\d\d/;

/** Records exceptions of the page, violations of its Content Security Policy, and requests to other hosts. */
function recordErrors(page: Page, origin: string): string[] {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' && !expected.test(message.text())) errors.push(message.text());
  });
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol !== 'data:' && url.origin !== origin) errors.push(`request to ${request.url()}`);
  });
  return errors;
}

async function takeScreenshots(page: Page, folder: string, name: string): Promise<void> {
  const before = page.viewportSize();
  for (const [size, viewport] of Object.entries({ wide: wideViewport, narrow: narrowViewport })) {
    await page.setViewportSize(viewport);
    // as tall as the page, so that fixed elements are where they are before scrolling
    const height: unknown = await page.evaluate('scrollTo(0, 0), document.documentElement.scrollHeight');
    await page.setViewportSize({ ...viewport, height: Math.max(viewport.height, Number(height)) });
    for (const colorScheme of ['dark', 'light'] as const) {
      await setColorScheme(page, colorScheme);
      await page.screenshot({ path: join(folder, `${name}-${size}-${colorScheme}.png`) });
    }
  }
  if (before) await page.setViewportSize(before);
}

async function openVisit(context: BrowserContext, origin: string): Promise<Visit> {
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const errors = recordErrors(page, origin);
  return {
    page,
    async signIn({ cookie }) {
      const [name = '', value = ''] = cookie.split('=', 2);
      await context.addCookies([
        { name, value, url: origin.replace('http:', 'https:'), secure: true, httpOnly: true, sameSite: 'Lax' },
      ]);
    },
    faults: () => errors.splice(0),
    barriers: (except = []) => findBarriers(page, except),
    async show(name) {
      if (screenshotFolder !== undefined) await takeScreenshots(page, screenshotFolder, name);
    },
    close: () => context.close(),
  };
}

let shared: Promise<Chromium> | null = null;

async function launch(): Promise<Chromium> {
  const { executablePath, env } = await findBrowserBinary();
  return chromium.launch({ executablePath, env: { ...process.env, ...env }, args: ['--no-sandbox'] });
}

/** Opens the worker's browser, as described in test/browser.ts. */
export async function openBrowser(): Promise<Browser> {
  shared ??= launch();
  const browser = await shared;
  const contexts: BrowserContext[] = [];
  return {
    async visit(origin: string, { width = wideViewport.width, height = wideViewport.height }: ViewOptions = {}) {
      const context = await browser.newContext({ baseURL: origin, viewport: { width, height }, reducedMotion: 'reduce' });
      contexts.push(context);
      return openVisit(context, origin);
    },
    close: async () => void (await Promise.all(contexts.map((context) => context.close()))),
  };
}

closeAfterRun(async () => (await shared)?.close());
