/** The stream of events in the OpenAPI document: `GET /events/stream`. */
import type { JsonSchema } from '../../schema/json-schema.ts';
import type { Operation } from '../operations/operation.ts';
import { eventStreamType, isStreamParameter, streamedOperation, streamPathOf } from '../streams/stream-handler.ts';
import { rateHeaders } from './openapi-components.ts';
import type { OpenApiOperation } from './openapi.ts';

const example =
  'id: 5Vq…\nevent: match.finished\ndata: {"id": "…", "type": "match.finished", "sequence": 48211, "data": {…}}\n\n';

const lastEventId: JsonSchema = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  description: 'The `id` of the last event that was received: the stream continues after it. Takes precedence over `cursor`.',
  schema: { type: 'string', maxLength: 2048 },
};

const cursorDescription =
  'The stream begins after this position: `page.resumeCursor` of `GET /events`, or the `id` of an event. Default: with the next event, or with `since`.';

const isStreamed = ({ name, in: place }: JsonSchema): boolean => place === 'query' && isStreamParameter(String(name));

/** The stream of a list, with its path, from the operation of the list; null for a list without one. */
export function streamOperation(
  { name, path }: Operation,
  list: OpenApiOperation,
): readonly [path: string, operation: OpenApiOperation] | null {
  if (name !== streamedOperation) return null;
  const { responses, parameters = [] } = list;
  const { 304: _, 412: __, ...others } = responses;
  const operation: OpenApiOperation = {
    ...list,
    operationId: 'streamEvents',
    summary: 'Stream the events that you can read, as they happen.',
    description:
      'Server-Sent Events: each event has the `id` of its position, its type as `event`, and an item of `GET /events` as `data`. Comments arrive while there are no events. To continue after a disconnection, send the last `id` as `Last-Event-ID`.',
    parameters: [
      ...parameters
        .filter(isStreamed)
        .map((parameter) => (parameter['name'] === 'cursor' ? { ...parameter, description: cursorDescription } : parameter)),
      lastEventId,
    ],
    responses: {
      ...others,
      200: {
        description: 'The stream.',
        headers: Object.fromEntries(
          [...rateHeaders, 'X-Request-Id'].map((header) => [header, { $ref: `#/components/headers/${header}` }]),
        ),
        content: {
          [eventStreamType]: { schema: { type: 'string', description: 'Server-Sent Events.', examples: [example] } },
        },
      },
    },
  };
  const { 'x-bulk-formats': ___, ...plain } = operation;
  return [streamPathOf(path), plain];
}
