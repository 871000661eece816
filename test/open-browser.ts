/** Opens a browser over the dashboard as it is built, outside of the sandbox of the test files that use it. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { AxeBuilder } from '@axe-core/playwright';
import { chromium, type Page } from 'playwright-core';
import type { Browser, Look, Visit } from './browser.ts';

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const screenshotFolder = process.env['SCREENSHOTS'];

/** What a refused request leaves in the console says nothing that the page does not. */
const expected = /^Failed to load resource: the server responded with a status of [45]\d\d/;

/** What the page should never do: fail, be refused something by its own policy, or ask another host. */
function watch(page: Page, origin: string): string[] {
  const faults: string[] = [];
  page.on('pageerror', (fault) => faults.push(String(fault)));
  page.on('console', (message) => {
    if (message.type() === 'error' && !expected.test(message.text())) faults.push(message.text());
  });
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol !== 'data:' && url.origin !== origin) faults.push(`asked ${request.url()}`);
  });
  return faults;
}

/** Light and dark are one page in two sets of colours: what is not about colours is asked once. */
const looks = [
  ['dark', ['color-contrast', 'link-in-text-block']],
  ['light', null],
] as const;

async function violations(page: Page, except: readonly string[], rules: readonly string[] | null): Promise<string[]> {
  const axe = except.reduce((all, selector) => all.exclude(selector), new AxeBuilder({ page }));
  if (rules !== null) axe.withRules([...rules]);
  const found = await axe.analyze();
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary ?? ''}`),
  );
}

/** Light or dark, once no colour is on its way any more. */
async function dress(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.evaluate(
    'new Promise(requestAnimationFrame).then(() => Promise.allSettled(document.getAnimations().filter(({ effect }) => effect.getTiming().iterations !== Infinity).map(({ finished }) => finished))).then(() => null)',
  );
}

/** Opens a browser, as test/browser.ts says. */
export async function openBrowser(): Promise<Browser> {
  // in a process of its own: the builder keeps what it opened
  await promisify(execFile)(process.execPath, [join(import.meta.dirname, '../commands/dashboard.ts'), '--if-stale']);
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  return {
    async visit(origin: string, { width = 1280, height = 800 }: Look = {}): Promise<Visit> {
      const context = await browser.newContext({ baseURL: origin, viewport: { width, height }, reducedMotion: 'reduce' });
      const page = await context.newPage();
      page.setDefaultTimeout(8_000);
      const faults = watch(page, origin);
      return {
        page,
        async signIn({ cookie }) {
          const [name = '', value = ''] = cookie.split('=', 2);
          await context.addCookies([
            { name, value, url: origin.replace('http:', 'https:'), secure: true, httpOnly: true, sameSite: 'Lax' },
          ]);
        },
        faults: () => faults.splice(0),
        async barriers(except = []) {
          const found: string[] = [];
          for (const [colorScheme, rules] of looks) {
            await dress(page, colorScheme);
            found.push(...(await violations(page, except, rules)).map((violation) => `${colorScheme}: ${violation}`));
          }
          return found;
        },
        async show(name) {
          if (screenshotFolder === undefined) return;
          const before = page.viewportSize();
          for (const [size, viewport] of Object.entries({
            wide: { width: 1280, height: 800 },
            narrow: { width: 390, height: 844 },
          })) {
            await page.setViewportSize(viewport);
            // as tall as the page: what is fixed to the window stands where it does for who has not scrolled
            const height: unknown = await page.evaluate('scrollTo(0, 0), document.documentElement.scrollHeight');
            await page.setViewportSize({ ...viewport, height: Math.max(viewport.height, Number(height)) });
            for (const colorScheme of ['dark', 'light'] as const) {
              await dress(page, colorScheme);
              await page.screenshot({ path: join(screenshotFolder, `${name}-${size}-${colorScheme}.png`) });
            }
          }
          if (before) await page.setViewportSize(before);
        },
        close: () => context.close(),
      };
    },
    close: () => browser.close(),
  };
}
