/** Checks a page with axe-core, at its own width and at that of a phone, in light and dark. */
import axe from 'axe-core';
import type { Page } from 'playwright-core';

export const narrowViewport = { width: 390, height: 844 };

/** Light and dark differ in colors only, so the dark page is checked with the rules about colors. */
const colorRules = { runOnly: ['color-contrast', 'link-in-text-block'] };

const checks = [
  { colorScheme: 'dark', isNarrow: false, options: colorRules },
  { colorScheme: 'light', isNarrow: false, options: {} },
  { colorScheme: 'dark', isNarrow: true, options: colorRules },
  { colorScheme: 'light', isNarrow: true, options: {} },
] as const;

/** Switches the color scheme and waits for the end of all transitions. */
export async function setColorScheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.evaluate(
    'new Promise(requestAnimationFrame).then(() => Promise.allSettled(document.getAnimations().filter(({ effect }) => effect.getTiming().iterations !== Infinity).map(({ finished }) => finished))).then(() => null)',
  );
}

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

async function findViolations(page: Page, except: readonly string[], options: object): Promise<string[]> {
  const context = { exclude: except.map((selector) => [selector]) };
  const settings = { ...options, resultTypes: ['violations'] };
  // evaluated by the debugger, which the Content Security Policy of the page does not restrict
  if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(axe.source);
  const run = `axe.run(${JSON.stringify(context)}, ${JSON.stringify(settings)}).then(({ violations }) => violations)`;
  const found = await page.evaluate<readonly Violation[]>(run);
  return found.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary = '' }) => `${id}: ${html} ${failureSummary}`));
}

/** The accessibility violations of a page. Its width and the light colors are restored. */
export async function findBarriers(page: Page, except: readonly string[]): Promise<string[]> {
  const own = page.viewportSize() ?? narrowViewport;
  const found: string[] = [];
  // the data of the previous filters are dimmed
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
  // a tooltip of what is below the pointer is outside of all landmarks
  await page.mouse.move(0, 0);
  for (const { colorScheme, isNarrow, options } of checks) {
    if (isNarrow && own.width <= narrowViewport.width) continue;
    const viewport = isNarrow ? narrowViewport : own;
    if (isNarrow) await page.setViewportSize(viewport);
    await setColorScheme(page, colorScheme);
    const violations = await findViolations(page, except, options);
    found.push(...violations.map((violation) => `${viewport.width} px, ${colorScheme}: ${violation}`));
  }
  await page.setViewportSize(own);
  return found;
}
