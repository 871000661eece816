/** The public GraphQL API over the small federation, on a port. It admits every request as one caller. */
import Fastify from 'fastify';
import { pino } from 'pino';
import { graphqlApi } from '../../router/graphql/api.ts';
import { ANONYMOUS } from '../../schema/viewer.ts';
import { anonymousHolder } from './anonymous-holder.ts';
import { readParts, type ReceivedPart } from './parts-reader.ts';
import { createSmallFederation } from './small-federation.ts';

export const deferAccept = 'multipart/mixed;deferSpec=20220824, application/json';

export async function openSmallApi() {
  const platform = createSmallFederation();
  const app = Fastify();
  /** The units that each operation was charged beyond the first. */
  const charged: number[] = [];
  await app.register(graphqlApi, {
    graph: platform.graph,
    schemas: platform.schemas,
    admission: {
      admit: () =>
        Promise.resolve({
          kind: 'ADMITTED',
          holder: anonymousHolder,
          quota: null,
          registeredDocumentsOnly: false,
          viewer: ANONYMOUS,
          subject: 'someone',
          authenticated: false,
          writes: 'ALLOWED',
          headers: {},
          charge: (cost) => {
            charged.push(cost);
            return Promise.resolve(null);
          },
          keep: () => undefined,
          notModifiedHeaders: {},
          settle: () => undefined,
        }),
    },
    callerOf: (request) => ({
      credentials: [],
      address: request.ip,
      host: request.host,
      requestId: request.id,
      traceparent: null,
    }),
    log: pino({ level: 'silent' }),
    newOperationsPerMinute: { anonymous: 1_000, keyed: 1_000 },
  });
  const url = `${await app.listen({ host: '127.0.0.1', port: 0 })}/graphql`;

  function send(query: string, variables: object = {}, accept = deferAccept, signal?: AbortSignal): Promise<Response> {
    return fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept },
      body: JSON.stringify({ query, variables }),
      ...(signal === undefined ? {} : { signal }),
    });
  }

  return {
    platform,
    url,
    charged,
    send,
    /** Sends an operation and reads all parts. */
    allOf: async (query: string, variables: object = {}): Promise<ReceivedPart[]> => readParts(await send(query, variables)),
    async close(): Promise<void> {
      await app.close();
      await platform.graph.close();
    },
  };
}

export type SmallApi = Awaited<ReturnType<typeof openSmallApi>>;
