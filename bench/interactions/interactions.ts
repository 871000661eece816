/** The interactions that are measured, in the dashboard and the portal. */
import type { Page } from 'playwright-core';

export interface Interaction {
  readonly name: string;
  /** Path of the screen that the page displays before. */
  readonly path: string;
  /** Prepares the page for one repetition; not measured. */
  readonly prepare?: (page: Page, repetition: number) => Promise<unknown>;
  /** Inputs of one repetition. Default: one click or key. */
  readonly inputs?: number;
  readonly act: (page: Page, repetition: number) => Promise<unknown>;
}

const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).first();
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first();
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
const rows = (page: Page) => page.getByRole('row').nth(20).waitFor();
const closeDialogs = async (page: Page): Promise<void> => {
  while ((await page.getByRole('dialog').count()) > 0) {
    await page.keyboard.press('Escape');
    await page.waitForTimeout(100);
  }
};

/** Opens screens by turns; the first repetition of each also loads its script. */
const navigate = (path: string, names: readonly string[]): Interaction => ({
  name: 'open a screen in the navigation',
  path,
  async act(page, repetition) {
    const name = names[repetition % names.length] ?? '';
    await link(page, name).click();
    await heading(page, name);
  },
});

const typeInto = (name: string, path: string, label: string | RegExp, text: string): Interaction => ({
  name,
  path,
  inputs: text.length,
  async prepare(page) {
    await page.getByLabel(label).first().fill('');
    await rows(page);
    await page.getByLabel(label).first().focus();
  },
  act: (page) => page.keyboard.type(text, { delay: 60 }),
});

const openDetails = (name: string, path: string): Interaction => ({
  name,
  path,
  async prepare(page) {
    await closeDialogs(page);
    await rows(page);
  },
  async act(page, repetition) {
    await page
      .getByRole('button', { name: /^Details/ })
      .nth(repetition % 10)
      .click();
    await page.getByRole('dialog').waitFor();
  },
});

const openDialog = (path: string, opener: string): Interaction => ({
  name: `open the dialog "${opener}"`,
  path,
  prepare: closeDialogs,
  async act(page) {
    await button(page, opener).click();
    await page.getByRole('dialog').waitFor();
  },
});

const switchScheme = (path: string): Interaction => ({
  name: 'switch the color scheme',
  path,
  async prepare(page) {
    await rows(page);
    await button(page, 'Color scheme').click();
    await page.getByRole('menuitem', { name: 'Dark' }).waitFor();
  },
  act: (page, repetition) => page.getByRole('menuitem', { name: repetition % 2 === 0 ? 'Dark' : 'Light' }).click(),
});

const nextPage = (path: string): Interaction => ({
  name: 'open the next page of a list',
  path,
  prepare: rows,
  act: (page) => button(page, 'Next').click(),
});

const openMenu: Interaction = {
  name: 'open the command palette',
  path: '/admin/keys',
  prepare: closeDialogs,
  async act(page) {
    await page.keyboard.press('Control+K');
    await page.getByRole('dialog', { name: 'Search and open' }).waitFor();
  },
};

const typeInPalette: Interaction = {
  name: 'type into the command palette',
  path: '/admin/keys',
  inputs: 6,
  async prepare(page) {
    await closeDialogs(page);
    await page.keyboard.press('Control+K');
    await page.getByRole('combobox').last().waitFor();
  },
  act: (page) => page.keyboard.type('eagles', { delay: 60 }),
};

const selectRow: Interaction = {
  name: 'select a row',
  path: '/admin/keys',
  prepare: rows,
  act: (page, repetition) =>
    page
      .getByRole('row')
      .nth(1 + (repetition % 20))
      .getByRole('checkbox')
      .click(),
};

const selectPage: Interaction = {
  name: 'select all rows of a page',
  path: '/admin/keys',
  prepare: rows,
  act: (page) => page.getByRole('row').first().getByRole('checkbox').click(),
};

const sort: Interaction = {
  name: 'sort a list',
  path: '/admin/keys',
  prepare: rows,
  act: (page, repetition) => button(page, repetition % 2 === 0 ? /^Last used/ : /^Issued/).click(),
};

const pauseTail = (path: string): Interaction => ({
  name: 'pause or resume live rows',
  path,
  async prepare(page) {
    await page.getByRole('row').nth(5).waitFor();
  },
  act: (page) => button(page, /^(Pause|Resume)/).click(),
});

const showTable = (path: string): Interaction => ({
  name: 'switch between chart and table',
  path,
  async prepare(page) {
    await page.getByRole('figure').first().waitFor();
  },
  act: (page, repetition) =>
    page
      .getByRole('figure')
      .first()
      .getByText(repetition % 2 === 0 ? 'Table' : 'Chart', { exact: true })
      .click(),
});

/** The interactions of each app, with the paths of an account that has many rows. */
export function interactionsOf(accountId: string): Readonly<Record<'dashboard' | 'portal', readonly Interaction[]>> {
  return {
    dashboard: [
      navigate('/admin', ['API keys', 'Accounts', 'Requests', 'Events', 'Plans', 'Audit log', 'Overview']),
      typeInto('type into the search of a list', '/admin/keys', 'Name, account or public ID', 'production'),
      sort,
      nextPage('/admin/requests'),
      selectRow,
      selectPage,
      openDetails('open the details of a request', '/admin/requests'),
      openDialog('/admin/plans', 'Create plan'),
      openMenu,
      typeInPalette,
      switchScheme('/admin/requests'),
      showTable(`/admin/accounts/${accountId}`),
      pauseTail('/admin/events?view=LIVE'),
    ],
    portal: [
      navigate('/portal', ['API keys', 'Requests', 'Webhooks', 'Events', 'Usage and limits', 'Members', 'Overview']),
      typeInto('type into a filter of requests', '/portal/requests', 'Operation', 'GET /api/v1/athletes'),
      nextPage('/portal/requests'),
      openDetails('open the details of a request', '/portal/requests'),
      openDialog('/portal/members', 'Invite member'),
      switchScheme('/portal/requests'),
      showTable('/portal/usage'),
    ],
  };
}
