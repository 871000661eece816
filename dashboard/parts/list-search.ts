/** What the URL of a list says: words, order, filters and the page, so that a list can be sent to somebody as it is. */
import { useNavigate, useRouterState, useSearch } from '@tanstack/react-router';

type Choices = Readonly<Record<string, readonly string[] | 'text'>>;

/** What a list was asked for; filters by name, as lists of what was chosen. */
export type ListSearch<Filters extends Choices> = {
  readonly q?: string | undefined;
  readonly after?: string | undefined;
} & { readonly [Name in keyof Filters]?: (Filters[Name] extends readonly (infer Choice)[] ? Choice : string) | undefined };

/** Reads the search of a URL: what it does not know is left out. `filters` are values that may be chosen, or free text. */
export const listSearch =
  <const Filters extends Choices>(filters: Filters) =>
  (search: Record<string, unknown>): ListSearch<Filters> => {
    const known: Choices = { q: 'text', after: 'text', ...filters };
    const read = Object.entries(known).flatMap(([name, choices]) => {
      const value = search[name];
      // the router reads `?q=7` as a number
      const chosen = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
      if (chosen === '') return [];
      return choices === 'text' || choices.includes(chosen) ? [[name, chosen] as const] : [];
    });
    return Object.fromEntries(read) as ListSearch<Filters>;
  };

export interface ListState {
  /** Asks for something else: from the start again. */
  readonly set: (changes: Readonly<Record<string, string | undefined>>) => void;
  readonly next: (cursor: string) => void;
  /** Null on the first page. */
  readonly previous: (() => void) | null;
}

/** Turns the pages of the list that the URL shows. */
export function useListState(): ListState {
  const navigate = useNavigate();
  const { after = null } = useSearch({ strict: false });
  const before = useRouterState({ select: ({ location }) => location.state.before ?? [] });
  const go = (cursor: string | null, state: readonly (string | null)[]): void =>
    void navigate({
      to: '.',
      search: (search: object) => ({ ...search, after: cursor ?? undefined }),
      state: { before: state },
    } as never);
  return {
    set: (changes) =>
      void navigate({
        to: '.',
        search: (search: object) => ({ ...search, ...changes, after: undefined }),
        replace: true,
        resetScroll: false,
      } as never),
    next: (cursor) => go(cursor, [...before, after]),
    // who came by a link knows no page before: back to the start
    previous: after === null ? null : () => go(before.at(-1) ?? null, before.slice(0, -1)),
  };
}
