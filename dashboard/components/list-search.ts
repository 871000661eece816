/** Reads and writes the state of a list in the URL: search text, sort order, filters and page. */
import { useNavigate, useRouterState, useSearch } from '@tanstack/react-router';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Start cursors of the previous pages of a list; null for the first page. */
    previousCursors?: readonly (string | null)[];
  }
}

type Choices = Readonly<Record<string, readonly string[] | RegExp | 'text'>>;

/** Filters whose value is the ID of a resource. */
export const idPattern = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
/** Filters whose value is a date, or a minute in UTC. */
export const datePattern = /^\d{4}-\d\d-\d\d$/;
export const minutePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/;

/** The search parameters of a list. */
export type ListSearch<Filters extends Choices> = {
  readonly q?: string | undefined;
  readonly after?: string | undefined;
} & { readonly [Name in keyof Filters]?: (Filters[Name] extends readonly (infer Choice)[] ? Choice : string) | undefined };

function isAllowed(text: string, choices: Choices[string]): boolean {
  if (choices === 'text') return true;
  return choices instanceof RegExp ? choices.test(text) : choices.includes(text);
}

/**
 * Returns a parser for the search parameters of a list. `filters` lists the allowed values, a pattern, or `'text'`.
 * Unknown names and values become undefined: the router would keep values that are absent.
 */
export const listSearch =
  <const Filters extends Choices>(filters: Filters) =>
  (search: Record<string, unknown>): ListSearch<Filters> => {
    const allowed: Choices = { q: 'text', after: 'text', ...filters };
    const parsed = Object.entries(search).map(([name, value]) => {
      // the router parses `?q=7` as a number
      const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
      const choices = Object.hasOwn(allowed, name) ? allowed[name] : undefined;
      return [name, text !== '' && choices !== undefined && isAllowed(text, choices) ? text : undefined] as const;
    });
    // a cast: the keys and values were checked against `allowed`
    return Object.fromEntries(parsed) as ListSearch<Filters>;
  };

/** Whether a list without its page has any search parameter. */
export const hasFilter = (search: Readonly<Record<string, unknown>>): boolean =>
  Object.values(search).some((value) => value !== undefined);

export interface ListState {
  /** Changes search parameters, and returns to the first page. */
  readonly set: (changes: Readonly<Record<string, string | undefined>>) => void;
  /** Removes the search text and all filters; the view and the sort order stay. */
  readonly clear: () => void;
  readonly next: (cursor: string) => void;
  /** Null on the first page. */
  readonly previous: (() => void) | null;
}

/** Navigation between the pages and filters of the list at the current URL. */
export function useListState(): ListState {
  const navigate = useNavigate();
  const { after = null } = useSearch({ strict: false });
  const previousCursors = useRouterState({ select: ({ location }) => location.state.previousCursors ?? [] });
  // the casts: `to: '.'` has no static search type
  const openPage = (cursor: string | null, cursors: readonly (string | null)[]): void =>
    void navigate({
      to: '.',
      search: (search: object) => ({ ...search, after: cursor ?? undefined }),
      state: { previousCursors: cursors },
    } as never);
  return {
    set: (changes) =>
      void navigate({
        to: '.',
        search: (search: object) => ({ ...search, ...changes, after: undefined }),
        replace: true,
        resetScroll: false,
      } as never),
    clear: () =>
      void navigate({
        to: '.',
        search: ({ sort, view, queue, span }: Readonly<Record<string, string>>) => ({ sort, view, queue, span }),
        replace: true,
        resetScroll: false,
      } as never),
    next: (cursor) => openPage(cursor, [...previousCursors, after]),
    // a page opened by a link has no previous cursors: return to the first page
    previous: after === null ? null : () => openPage(previousCursors.at(-1) ?? null, previousCursors.slice(0, -1)),
  };
}
