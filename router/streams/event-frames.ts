/** Reads events as a viewer reads them now, as frames of Server-Sent Events (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
import { Problem } from '../../schema/errors.ts';
import type { GraphDocument } from '../../schema/entry-point.ts';
import type { Viewer } from '../../schema/viewer.ts';
import type { RouterGraph } from '../graph.ts';
import type { EventFilter } from './event-filter.ts';

/** One event of a stream: `id`, `event` and `data`. */
export interface Frame {
  readonly sequence: number;
  readonly bytes: Buffer;
}

export interface FramePage {
  readonly frames: readonly Frame[];
  readonly endCursor: string;
  readonly hasMore: boolean;
}

interface EventNode {
  readonly cursor: string;
  readonly type: string;
  readonly sequence: number;
}

/** The members of an item of GET /events, and the position after it. */
const selection = `
  id type timestamp mode apiVersion sequence
  resource { type id version }
  data { type id deleted representation }
  cursor`;

const byIdsQuery: GraphDocument<
  { readonly eventsByIds: readonly (EventNode | null)[] | null },
  { readonly ids: readonly string[] }
> = `query streamEventsByIds($ids: [ID!]!) { eventsByIds(ids: $ids) {${selection} } }`;

interface Connection {
  readonly nodes: readonly EventNode[];
  readonly pageInfo: { readonly endCursor: string; readonly hasMore: boolean };
}

const pageQuery: GraphDocument<
  { readonly events: Connection | null },
  { readonly first: number; readonly after: string | null; readonly filter: EventFilter }
> = `query streamEventsPage($first: Int!, $after: String, $filter: EventFilter) {
  events(first: $first, after: $after, filter: $filter) { nodes {${selection} } pageInfo { endCursor hasMore } }
}`;

/** JSON has no line breaks. */
function frameOf({ cursor, ...item }: EventNode): Frame {
  const text = `id: ${cursor}\nevent: ${item.type}\ndata: ${JSON.stringify(item)}\n\n`;
  return { sequence: item.sequence, bytes: Buffer.from(text) };
}

/** Both throw Problem upstream_unavailable while an area does not respond. */
export interface EventFrames {
  /** The events with these ids that the viewer can read now, in their order. At most 200. */
  byIds(viewer: Viewer, ids: readonly string[]): Promise<readonly Frame[]>;
  /** A page of GET /events. Throws Problem cursor_invalid or parameter_invalid, too. */
  page(viewer: Viewer, after: string | null, filter: EventFilter, requestId: string, signal?: AbortSignal): Promise<FramePage>;
}

export const framesMax = 200;
const pageSize = 100;

const noData = (): Problem => new Problem('upstream_unavailable', 'The event feed is unavailable. Retry the request.');

export const createEventFrames = (graph: Pick<RouterGraph, 'internal'>): EventFrames => ({
  async byIds(viewer, ids) {
    const { eventsByIds } = await graph.internal(viewer, 'event-streams')(byIdsQuery, { ids });
    if (eventsByIds === null) throw noData();
    return eventsByIds.flatMap((node) => (node === null ? [] : frameOf(node)));
  },
  async page(viewer, after, filter, requestId, signal) {
    const { events } = await graph.internal(viewer, requestId, signal)(pageQuery, { first: pageSize, after, filter });
    if (events === null) throw noData();
    return { frames: events.nodes.map(frameOf), ...events.pageInfo };
  },
});
