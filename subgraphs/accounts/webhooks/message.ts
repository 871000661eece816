/** The bodies of deliveries: events as the account of an endpoint reads them at this moment. */
import { isTemporary } from '../../../platform/events/dead-letters.ts';
import type { DataMode } from '../../../platform/security/api-key.ts';
import { accountViewer } from '../../../schema/viewer.ts';
import { graphql } from '../../clients/graphql.ts';
import type { AreaServices } from '../../runtime/subgraph.ts';
import type { SendableDelivery } from './due-deliveries.ts';

/** The same members, in the same order, as an item of `GET /events`. */
const eventsOfDeliveries = graphql(`
  query eventsOfDeliveries($ids: [ID!]!) {
    eventsByIds(ids: $ids) {
      id
      type
      timestamp
      mode
      apiVersion
      sequence
      resource {
        type
        id
        version
      }
      data {
        type
        id
        deleted
        representation
      }
    }
  }
`);

/** Events of one query. */
const idsMax = 200;
const excerptBytes = 1_024;
const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** The body of a request, and what is stored of it. */
export interface Message {
  readonly body: string;
  /** The first kB. */
  readonly excerpt: string;
  /** The resources in it; empty when it contains no representation. */
  readonly mentions: readonly string[];
}

/** The first kB of a text, without the character that the limit cuts. */
function firstBytes(text: string): string {
  const bytes = Buffer.from(text);
  return bytes.length <= excerptBytes ? text : new TextDecoder().decode(bytes.subarray(0, excerptBytes), { stream: true });
}

function messageOf(event: object, hasRepresentation: boolean): Message {
  const body = JSON.stringify(event);
  const excerpt = firstBytes(body);
  return { body, excerpt, mentions: hasRepresentation ? [...new Set(excerpt.match(uuid))] : [] };
}

/** The body of a test: an event that is not in the feed. */
export const testMessage = (mode: DataMode, { eventId, type, createdAt, endpointId, version }: SendableDelivery): Message =>
  messageOf(
    {
      id: eventId,
      type,
      timestamp: createdAt,
      mode,
      apiVersion: 1,
      sequence: 0,
      resource: { type: 'webhook_endpoint', id: endpointId, version },
      data: null,
    },
    false,
  );

/** Deliveries whose events are the same for all of them: of one account, with the same scopes. */
export const viewerKey = ({ accountId, scopes }: SendableDelivery): string => `${accountId} ${scopes.join(' ')}`;

/** Rendered events, by their ids. An event that the account cannot read now is in neither map. */
export interface Rendered {
  readonly messages: ReadonlyMap<string, Message>;
  /** Errors of events that the platform cannot read. */
  readonly errors: ReadonlyMap<string, unknown>;
}

/**
 * Renders the events of deliveries with the same viewer. Throws Problem upstream_unavailable, upstream_timeout or overloaded while an area
 * does not respond.
 */
export async function renderMessages(
  graphFor: AreaServices['graphFor'],
  deliveries: readonly SendableDelivery[],
): Promise<Rendered> {
  const messages = new Map<string, Message>();
  const errors = new Map<string, unknown>();
  const [first] = deliveries;
  if (first === undefined) return { messages, errors };
  const graph = graphFor(accountViewer(first.accountId, first.scopes));

  async function render(ids: string[]): Promise<void> {
    const { eventsByIds } = await graph(eventsOfDeliveries, { ids });
    for (const event of eventsByIds ?? [])
      if (event) messages.set(event.id, messageOf(event, event.data?.representation != null));
  }

  /** One error fails a query: its events are rendered one by one. */
  async function renderEach(ids: string[]): Promise<void> {
    for (const id of ids)
      await render([id]).catch((error: unknown) => {
        if (isTemporary(error)) throw error;
        errors.set(id, error);
      });
  }

  const ids = [...new Set(deliveries.map(({ eventId }) => eventId))];
  for (let from = 0; from < ids.length; from += idsMax) {
    const some = ids.slice(from, from + idsMax);
    await render(some).catch((error: unknown) => {
      if (isTemporary(error)) throw error;
      return renderEach(some);
    });
  }
  return { messages, errors };
}
