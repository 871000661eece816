/** Responses in parts over `multipart/mixed`, as Apollo Router and Apollo Client send and read them. */
import { Readable } from 'node:stream';
import type { ApolloServerPlugin } from '@apollo/server';
import type { FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import type { AnnouncedPart, DeliveredPart, LaterParts, PartBatch } from '../executor/executor.ts';
import { problemOf, responseTypeOf } from './error-response.ts';

/** The versions of the format, newest last, with the parameter of the media type that selects each. */
const formats = {
  /** https://github.com/graphql/graphql-spec/tree/48cf7263a71a683fab03d45d309fd42d8d9a6659/spec */
  DEFER_20220824: 'deferSpec=20220824',
  /** https://specs.apollo.dev/incremental/v0.2/, also that of graphql-js 17.0.0-alpha.9 */
  INCREMENTAL_0_2: 'incrementalSpec=v0.2',
} as const;

export type IncrementalFormat = keyof typeof formats;

const mediaType = 'multipart/mixed';
const formatNames: readonly IncrementalFormat[] = ['DEFER_20220824', 'INCREMENTAL_0_2'];

/**
 * The format that a client accepts; null when it does not accept parts. Without a parameter, `multipart/mixed` selects the older
 * format, which all clients read. `*` selects none: such a client may not read parts.
 */
export function incrementalFormat(accept: string | undefined): IncrementalFormat | null {
  // most clients never accept parts
  if (accept?.toLowerCase().includes(mediaType) !== true) return null;
  for (const range of accept.toLowerCase().split(',')) {
    const [type, ...parameters] = range.split(';').map((part) => part.replaceAll(/[\s"]/g, ''));
    if (type !== mediaType || parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))) continue;
    const versions = parameters.filter((parameter) => /^(deferspec|incrementalspec)=/.test(parameter));
    const format = formatNames.find((name) => versions.includes(formats[name].toLowerCase()));
    if (format !== undefined) return format;
    if (versions.length === 0) return 'DEFER_20220824';
  }
  return null;
}

/** The media type of a response in parts. */
export const incrementalType = (format: IncrementalFormat): string => `${mediaType};boundary="-";${formats[format]}`;

/**
 * Sends a response without parts, such as a rejection, as JSON also to a client that accepts only parts. Apollo Server would answer 406.
 */
export function acceptPartsOnly<Context extends object>(): ApolloServerPlugin<Context> {
  return {
    requestDidStart: () =>
      Promise.resolve({
        willSendResponse({ request, response: { http } }) {
          const accept = request.http?.headers.get('accept');
          if (incrementalFormat(accept) !== null && !http.headers.has('content-type'))
            http.headers.set('content-type', responseTypeOf(accept).type);
          return Promise.resolve();
        },
      }),
  };
}

const errorsOf = ({ errors }: DeliveredPart) => (errors.length === 0 ? {} : { errors });

const labelOf = ({ label }: AnnouncedPart) => (label === null ? {} : { label });

const pendingOf = (parts: readonly AnnouncedPart[]) =>
  parts.length === 0 ? {} : { pending: parts.map((part) => ({ id: part.id, path: part.path, ...labelOf(part) })) };

/** A batch as each format writes it. */
const writers: Readonly<Record<IncrementalFormat, (batch: PartBatch) => object>> = {
  DEFER_20220824: ({ delivered, hasNext }) => ({
    incremental: delivered.map((part) => {
      const { result, path } = part;
      const content =
        result.kind === 'DATA' ? { data: result.data, path } : { items: result.items, path: [...path, result.from] };
      return { ...content, ...labelOf(part), ...errorsOf(part) };
    }),
    hasNext,
  }),
  INCREMENTAL_0_2: ({ delivered, announced, hasNext }) => {
    const incremental = delivered.flatMap((part): object[] => {
      const { id, result } = part;
      if (result.kind === 'DATA') return result.data === null ? [] : [{ id, data: result.data, ...errorsOf(part) }];
      return result.items === null ? [] : [{ id, items: result.items, ...errorsOf(part) }];
    });
    const completed = delivered.map((part) => {
      const { id, result } = part;
      const isFailed = (result.kind === 'DATA' ? result.data : result.items) === null;
      return isFailed ? { id, errors: part.errors } : { id };
    });
    return { ...pendingOf(announced), ...(incremental.length === 0 ? {} : { incremental }), completed, hasNext };
  },
};

const part = (json: string, hasNext: boolean): string =>
  `content-type: application/json; charset=utf-8\r\n\r\n${json}\r\n---${hasNext ? '' : '--'}\r\n`;

export interface IncrementalResponse {
  readonly format: IncrementalFormat;
  readonly later: LaterParts;
}

/** The members of the first part after `data` and `errors`. */
function firstMembers({ format, later: { announced } }: IncrementalResponse): object {
  const hasNext = announced.length > 0;
  return format === 'INCREMENTAL_0_2' ? { ...pendingOf(announced), hasNext } : { hasNext };
}

async function* write(first: string, response: IncrementalResponse, log: Logger): AsyncGenerator<string> {
  const { format, later } = response;
  const hasNext = later.announced.length > 0;
  const members = JSON.stringify(firstMembers(response));
  // both are texts of objects with members
  yield `\r\n---\r\n${part(`${first.trimEnd().slice(0, -1)},${members.slice(1)}`, hasNext)}`;
  try {
    for await (const batch of later.batches) yield part(JSON.stringify(writers[format](batch)), batch.hasNext);
  } catch (error) {
    const { message, extensions } = problemOf(error, log);
    const failure = { message, extensions };
    yield part(JSON.stringify({ errors: [failure], hasNext: false }), false);
  }
}

/** Sends the first part, a GraphQL response as JSON, and the later ones as the client reads them. */
export function sendInParts(reply: FastifyReply, first: string, response: IncrementalResponse, log: Logger): FastifyReply {
  return reply.type(incrementalType(response.format)).send(Readable.from(write(first, response, log)));
}
