/** Payloads of subscriptions: each is serialized once for all its subscribers. */
import type { GraphError } from '../../schema/entry-point.ts';
import { Problem, temporaryCodes } from '../../schema/errors.ts';
import { isRecord } from '../../schema/records.ts';
import type { Execution } from '../executor/executor.ts';

export interface Payload {
  /** The response as JSON: an object with `data` and, if there are any, `errors`. */
  readonly json: string;
  /** The response as an event `next` of graphql-sse. */
  readonly event: Buffer;
}

/** A subscriber that receives the payloads of a shared subscription. */
export interface Subscriber {
  readonly next: (payload: Payload) => void;
  /** The subscription has ended with these errors. Called once, after all payloads. */
  readonly end: (errors: readonly GraphError[]) => void;
}

/** What an execution means for the subscribers. */
export type Outcome =
  | { readonly kind: 'PAYLOAD'; readonly payload: Payload; readonly isPartial: boolean }
  /** Nothing to deliver: the viewer cannot read the item. */
  | { readonly kind: 'NOTHING' }
  /** Failed for a reason that may pass. */
  | { readonly kind: 'RETRY' }
  | { readonly kind: 'END'; readonly errors: readonly GraphError[] };

const isTemporary = ({ extensions }: GraphError): boolean =>
  extensions.code === 'internal' || temporaryCodes.has(extensions.code);

/** The JSON text of errors, as clients receive them. */
export const errorsText = (errors: readonly GraphError[]): string =>
  JSON.stringify(errors.map(({ message, path, extensions }) => ({ message, ...(path && { path }), extensions })));

export const errorOf = (problem: Problem): GraphError => ({ message: problem.message, extensions: problem.extensions });

/** Creates a payload; the event is encoded for the first subscriber that needs it. */
export function createPayload(json: string): Payload {
  let event: Buffer | undefined;
  return {
    json,
    get event() {
      return (event ??= Buffer.from(`event: next\ndata: ${json}\n\n`));
    },
  };
}

function payloadOf(key: string, value: unknown, errors: readonly GraphError[]): Outcome {
  const data = `"data":{${JSON.stringify(key)}:${JSON.stringify(value)}}`;
  const json = errors.length === 0 ? `{${data}}` : `{"errors":${errorsText(errors)},${data}}`;
  return { kind: 'PAYLOAD', payload: createPayload(json), isPartial: errors.some(isTemporary) };
}

const failed = (errors: readonly GraphError[]): Outcome =>
  errors.some(isTemporary) ? { kind: 'RETRY' } : { kind: 'END', errors };

/** The outcome of an execution that failed as a whole. Throws errors that are no Problem. */
export function outcomeOfError(error: unknown): Outcome {
  if (!(error instanceof Problem)) throw error;
  return failed([errorOf(error)]);
}

const notFound = (key: string): GraphError => ({
  message: 'The resource does not exist, or it is not visible to you.',
  path: [key],
  extensions: { code: 'not_found' },
});

/** The outcome for a resource whose root field is `key`. */
export function outcomeOfState({ data, errors }: Execution, key: string): Outcome {
  const value = data?.[key] ?? null;
  if (value !== null) return payloadOf(key, value, errors);
  return errors.length > 0 ? failed(errors) : { kind: 'END', errors: [notFound(key)] };
}

/** The errors of the item at an index, with its path in a payload; `itemsField` is the field with the items. */
function errorsOfItem(errors: readonly GraphError[], key: string, itemsField: string | null, index: number): GraphError[] {
  const prefix = itemsField === null ? [key, index] : [key, itemsField, index];
  return errors
    .filter(({ path = [] }) => prefix.every((step, position) => path[position] === step))
    .map((error) => ({ ...error, path: [key, ...(error.path ?? []).slice(prefix.length)] }));
}

/** The outcomes for the items of a list of `count` items. */
export function outcomesOfItems(
  { data, errors }: Execution,
  key: string,
  itemsField: string | null,
  count: number,
): readonly Outcome[] {
  const root = data?.[key] ?? null;
  if (root === null) return Array.from({ length: count }, () => (errors.length > 0 ? failed(errors) : { kind: 'NOTHING' }));
  // a connection is an object, whose items are in a field
  const list: unknown = itemsField !== null && isRecord(root) ? root[itemsField] : root;
  const items: readonly unknown[] = Array.isArray(list) ? list : [];
  return Array.from({ length: count }, (_, index): Outcome => {
    const item = items[index] ?? null;
    const own = errorsOfItem(errors, key, itemsField, index);
    if (item !== null) return payloadOf(key, item, own);
    return own.some(isTemporary) ? { kind: 'RETRY' } : { kind: 'NOTHING' };
  });
}
