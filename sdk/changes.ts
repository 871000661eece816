/** Changes of a list since a position: the first time all of its resources, then what has changed. */
import { hasCode } from './errors.ts';
import type { Item, ListPath, ListQuery, PathParameters, ReadPage } from './lists.ts';

/** The lists that can be synchronized. */
export type ChangesPath = { [Path in ListPath]: 'updatedSince' extends keyof ListQuery<Path> ? Path : never }[ListPath];

/** How far a copy is. Store it as JSON in the same transaction as the changes before it. */
export interface SynchronizationPosition {
  readonly updatedSince: string;
  readonly cursor: string | null;
}

/** One page of changes. Applying it again changes nothing. */
export interface Change<Path extends ChangesPath> {
  /** Insert or replace these by `id`. */
  readonly items: readonly Item<Path>[];
  /** Delete these: they were deleted, or are no longer visible to you. */
  readonly deletedIds: readonly string[];
  /** The position after this page. */
  readonly position: SynchronizationPosition;
}

export type ChangesOptions<Path extends ChangesPath> = PathParameters<Path> & {
  /** The stored position; without it, all resources are read. */
  readonly position?: SynchronizationPosition | null | undefined;
  /** The same filters and `fields` for each position. `fields` must contain `id`. */
  readonly query?: Omit<ListQuery<Path>, 'updatedSince' | 'sort'> | undefined;
  readonly signal?: AbortSignal | undefined;
};

interface ChangesPage {
  readonly data: readonly unknown[];
  readonly tombstones: readonly { readonly id: string }[];
  readonly page: { readonly nextCursor: string | null; readonly hasMore: boolean; readonly updatedUntil?: string | null };
}

/** Before all data. */
const start: SynchronizationPosition = { updatedSince: '1970-01-01T00:00:00Z', cursor: null };

/**
 * Yields the changes since a position, and ends when there are no more. Store the items and the position of each in one transaction:
 * the next call continues after the last stored one, also when the process was killed.
 */
export async function* changesOf<Path extends ChangesPath>(
  read: ReadPage,
  path: Path,
  { position, query, signal, ...pathParameters }: ChangesOptions<Path>,
): AsyncGenerator<Change<Path>, void> {
  let current = position ?? start;

  async function readNext(): Promise<ChangesPage> {
    const { updatedSince, cursor } = current;
    const parameters = { limit: 100, ...query, updatedSince, ...(cursor === null ? {} : { cursor }) };
    try {
      // Cast: lists with `updatedSince` have tombstones.
      return (await read(path, { ...pathParameters, query: parameters, signal })) as ChangesPage;
    } catch (error) {
      if (cursor === null || !hasCode(error, 'cursor_invalid')) throw error;
      // the cursor has expired: the same changes are read from their start
      current = { updatedSince, cursor: null };
      return readNext();
    }
  }

  for (;;) {
    const { data, tombstones, page } = await readNext();
    const { updatedSince } = current;
    current =
      page.hasMore && page.nextCursor !== null
        ? { updatedSince, cursor: page.nextCursor }
        : { updatedSince: page.updatedUntil ?? updatedSince, cursor: null };
    // Cast: the path has these items.
    yield { items: data as readonly Item<Path>[], deletedIds: tombstones.map(({ id }) => id), position: current };
    if (!page.hasMore) return;
  }
}
