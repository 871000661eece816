/** Reads of the event feed: the events that a viewer can read now, oldest first, and the representations of their subjects. */
import { join, sql, type Sql } from '../../../platform/database/database.ts';
import { fingerprintOf } from '../../../platform/lists/cursor.ts';
import { Problem } from '../../../schema/errors.ts';
import type { GraphDocument } from '../../../schema/entry-point.ts';
import { nodesMax } from '../../../schema/node-types.ts';
import { isSubjectType, representationQuery } from '../../../schema/event-representations.ts';
import { subjectTypeOf, type SubjectType } from '../../../schema/event-subjects.ts';
import { nodeTypesById } from '../../clients/node-types.ts';
import type { AreaServices, BatchRead, Context } from '../../runtime/subgraph.ts';
import type { QueryEventsArgs, QueryFeedEventsArgs } from '../generated/resolvers.ts';
import { conditionsOf, isNamed, mayRead } from './filter.ts';
import { requiresReadableSubject } from './minors.ts';
import { eventColumns, type EventRow, type VisibleEvent } from './rows.ts';

/** Rows that are read at once, and at most for one page: a page can end early, with a cursor to continue. */
const batchSize = 200;
const scannedMax = 1_000;

export interface EventPage {
  readonly nodes: VisibleEvent[];
  readonly pageInfo: {
    readonly endCursor: string;
    readonly nextCursor: string | null;
    readonly hasNextPage: boolean;
    readonly hasMore: boolean;
  };
}

/** The subject of an event as the viewer reads it now. */
export interface EventSubject {
  readonly type: SubjectType | null;
  readonly id: string;
  readonly deleted: boolean;
}

type Representations = GraphDocument<
  { readonly nodesOfType: readonly (Readonly<Record<string, unknown>> | null)[] | null },
  { readonly ids: readonly string[] }
>;

/** The representations of subjects of one type, as `GET` returns them to the viewer. */
const representationsOf =
  (type: SubjectType): BatchRead<string, Readonly<Record<string, unknown>> | null> =>
  async (ids, { graph, notes }) => {
    const found = new Map<unknown, Readonly<Record<string, unknown>>>();
    for (let from = 0; from < ids.length; from += nodesMax) {
      const query: Representations = representationQuery(type);
      const { nodesOfType } = await graph(query, { ids: ids.slice(from, from + nodesMax) }, notes);
      for (const node of nodesOfType ?? []) {
        if (node === null) continue;
        const { subjectId, ...representation } = node;
        found.set(subjectId, representation);
      }
    }
    return ids.map((id) => found.get(id) ?? null);
  };

/** A cursor is a position in the feed, which is the same for all viewers and filters. */
const fingerprint = fingerprintOf('events.list', {}, null);

const readers = new Map<SubjectType, BatchRead<string, Readonly<Record<string, unknown>> | null>>();

/** The representation of a subject; null if the viewer can no longer read it. */
export function representationOf(
  context: Context,
  type: SubjectType,
  id: string,
): Promise<Readonly<Record<string, unknown>> | null> {
  const reader = readers.get(type) ?? representationsOf(type);
  readers.set(type, reader);
  return context.load(reader, id);
}

/** The subject of an event: null without one, and when the viewer may know no more than the ids. */
export function subjectOf({ subjectId, subjectType, wasPublic }: VisibleEvent): EventSubject | null {
  if (subjectId === null) return null;
  if (subjectType !== null && isSubjectType(subjectType)) return { type: subjectType, id: subjectId, deleted: false };
  return wasPublic ? { type: null, id: subjectId, deleted: true } : null;
}

/** Reads of the feed over the area's database and the graph. */
export function createEventReads({ database, cursors }: AreaServices) {
  const readRows = (after: number, where: readonly Sql[]): Promise<EventRow[]> =>
    database.query<EventRow>(
      sql`/* events.list */ select ${eventColumns} from event e where ${join([sql`sequence > ${after}`, ...where], ' and ')}
        order by sequence limit ${batchSize}`,
      'PAGE',
    );

  /** Throws Problem cursor_invalid for a position whose next events were deleted: events would be missing. */
  async function requireRetained(after: number): Promise<void> {
    const [row] = await database.query<{ first: number | null }>(
      sql`/* events.first */ select min(sequence) as first from event`,
    );
    if (row?.first !== undefined && row.first !== null && after < row.first - 1)
      throw new Problem(
        'cursor_invalid',
        'Events after this cursor were deleted: they are retained for 30 days. Synchronize with `updatedSince`, then start without a cursor.',
      );
  }

  /** The rows that the viewer can read now. Throws Problem upstream_unavailable while an area does not respond. */
  async function visibleAmong(context: Context, rows: readonly EventRow[]): Promise<VisibleEvent[]> {
    const ids = rows.flatMap(({ subjectId }) => subjectId ?? []);
    const wanted = new Set(rows.flatMap(({ resourceType }) => subjectTypeOf(resourceType) ?? []));
    const types = await nodeTypesById(context, ids, [...wanted]);
    return rows.flatMap((row) => {
      const type = row.subjectId === null ? undefined : types.get(row.subjectId);
      if (type instanceof Error) throw type;
      const event = { ...row, subjectType: type ?? null };
      const isNamedOrPublic = row.wasPublic || isNamed(context.viewer, row);
      return type !== undefined || (isNamedOrPublic && !requiresReadableSubject(context.viewer, row)) ? [event] : [];
    });
  }

  /** The cursor of the position after a sequence. */
  const cursorAfter = (sequence: number): string => cursors.seal([sequence], fingerprint);

  const feedPage = (events: readonly EventRow[], lastSequence: number) => ({
    events: [...events],
    lastSequence,
    cursor: cursorAfter(lastSequence),
  });

  return {
    cursorAfter,

    /** The events with these IDs, in their order; null for those that the viewer cannot read now. */
    async byIds(context: Context, ids: readonly string[]): Promise<(VisibleEvent | null)[]> {
      const where = join([sql`id = any(${[...ids]}::uuid[])`, ...mayRead(context.viewer)], ' and ');
      const rows = await database.query<EventRow>(sql`/* events.byIds */ select ${eventColumns} from event e where ${where}`);
      const visible = new Map((await visibleAmong(context, rows)).map((event) => [event.id, event]));
      return ids.map((id) => visible.get(id) ?? null);
    },

    /** Events of the feed after a sequence, for the platform: visibility is not checked. */
    async after({ after, first }: QueryFeedEventsArgs) {
      if (after === null || after === undefined) {
        const [row] = await database.query<{ last: number }>(
          sql`/* events.last */ select coalesce(max(sequence), 0) as last from event`,
        );
        return feedPage([], row?.last ?? 0);
      }
      const rows = await database.query<EventRow>(
        sql`/* events.after */ select ${eventColumns} from event where sequence > ${after} order by sequence limit ${first}`,
      );
      return feedPage(rows, rows.at(-1)?.sequence ?? after);
    },

    /** A page of events. Throws Problem cursor_invalid, parameter_invalid or upstream_unavailable. */
    async list(context: Context, { first: size, after, filter }: QueryEventsArgs): Promise<EventPage> {
      const first = size ?? 20;
      const start = after ? Number(cursors.open(after, fingerprint)[0]) : 0;
      if (start > 0) await requireRetained(start);
      const where = [...conditionsOf(filter ?? {}), ...mayRead(context.viewer)];
      const nodes: VisibleEvent[] = [];
      let [end, scanned, isLast] = [start, 0, false];
      while (nodes.length < first && scanned < scannedMax && !isLast) {
        const rows = await readRows(end, where);
        const visible = await visibleAmong(context, rows);
        const taken = visible.slice(0, first - nodes.length);
        nodes.push(...taken);
        scanned += rows.length;
        isLast = rows.length < batchSize && taken.length === visible.length;
        // events that the viewer cannot read are passed over, unless readable ones are left
        end = (taken.length < visible.length ? taken.at(-1) : rows.at(-1))?.sequence ?? end;
      }
      const endCursor = cursorAfter(end);
      return {
        nodes,
        pageInfo: { endCursor, nextCursor: isLast ? null : endCursor, hasNextPage: !isLast, hasMore: !isLast },
      };
    },
  };
}
