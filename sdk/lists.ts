/** Lists as iterators over pages and items. */
import type { paths } from './generated/api.ts';

interface AnyPage {
  readonly data: readonly unknown[];
  readonly page: { readonly nextCursor: string | null; readonly hasMore: boolean };
}

type Get<Path extends keyof paths> = paths[Path] extends { get: infer Operation } ? Operation : never;
type Body<Operation> = Operation extends { responses: { 200: { content: { 'application/json': infer Json } } } } ? Json : never;

/** The paths of lists with pages. */
export type ListPath = {
  [Path in keyof paths]: Get<Path> extends { parameters: { query?: { cursor?: string } } }
    ? Body<Get<Path>> extends AnyPage
      ? Path
      : never
    : never;
}[keyof paths];

/** A page of a list. */
export type Page<Path extends ListPath> = Extract<Body<Get<Path>>, AnyPage>;
/** An item of a list. Members can be absent with `fields`. */
export type Item<Path extends ListPath> = Page<Path> extends { data: readonly (infer Each)[] } ? Each : never;

type Parameters<Path extends ListPath> = Get<Path> extends { parameters: infer Each } ? Each : never;
/** The query of a list without its cursor. */
export type ListQuery<Path extends ListPath> = Omit<
  NonNullable<Parameters<Path> extends { query?: infer Query } ? Query : never>,
  'cursor'
>;
/** The member `path` with the parameters of a path that has some. */
export type PathParameters<Path extends ListPath> =
  Parameters<Path> extends { path: infer Values } ? { readonly path: Values } : unknown;

export type ListOptions<Path extends ListPath> = PathParameters<Path> & {
  readonly query?: ListQuery<Path> | undefined;
  readonly signal?: AbortSignal | undefined;
};

/** What the iterators of lists read pages with. */
export type ReadPage = (
  path: string,
  options: { readonly path?: unknown; readonly query?: object | undefined; readonly signal?: AbortSignal | undefined },
) => Promise<AnyPage>;

/** Reads page after page. */
export async function* pagesOf<Path extends ListPath>(
  read: ReadPage,
  path: Path,
  options: ListOptions<Path>,
): AsyncGenerator<Page<Path>, void> {
  let cursor: string | null = null;
  do {
    const query: object = { ...options.query, ...(cursor === null ? {} : { cursor }) };
    const page = await read(path, { ...options, query });
    // Cast: the path has this response.
    yield page as Page<Path>;
    cursor = page.page.hasMore ? page.page.nextCursor : null;
  } while (cursor !== null);
}

/** Reads the items of all pages. */
export async function* itemsOf<Path extends ListPath>(
  read: ReadPage,
  path: Path,
  options: ListOptions<Path>,
): AsyncGenerator<Item<Path>, void> {
  for await (const page of pagesOf(read, path, options)) {
    const { data }: AnyPage = page;
    // Cast: the path has these items.
    yield* data as readonly Item<Path>[];
  }
}
