/** The compiled executor against the stock one with every area on a separate server: the same responses over the real transport. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { pino } from 'pino';
import { createHttpSubgraph } from '../../router/transport/http-subgraph.ts';
import { areas, type Area } from '../../schema/areas.ts';
import { Problem } from '../../schema/errors.ts';
import type { SubgraphClient } from '../../schema/subgraph-client.ts';
import { createAreaServer } from '../../subgraphs/runtime/server.ts';
import { createComparison } from '../differential/comparison.ts';
import { createPartsComparison } from '../differential/incremental.ts';
import { experiments } from '../differential/operations.ts';
import { supergraphs } from '../differential/supergraphs/all.ts';

const key = Buffer.alloc(32, 7);
const log = pino({ enabled: false });
const behind = new Map<string, SubgraphClient>();
const urls = new Map<string, string>();
const resources = new AsyncDisposableStack();

/** The error of an area that is down; transport.test.ts covers areas that do not respond. */
function overHttp(area: SubgraphClient): SubgraphClient['query'] {
  return (request) =>
    area.query(request).catch((error: unknown) => {
      if (!(error instanceof Problem)) throw error;
      return { data: null, errors: [{ message: error.message, extensions: { ...error.extensions } }] };
    });
}

async function listen(name: Area): Promise<void> {
  const server = createAreaServer(
    {
      close: () => Promise.resolve(),
      query: (request) => {
        const area = behind.get(name);
        if (area === undefined) throw new Error(`${name} is unavailable.`);
        return overHttp(area)(request);
      },
    },
    { key, log, readiness: {} },
  );
  urls.set(name, await server.listen({ port: 0, host: '127.0.0.1' }));
  resources.defer(() => server.close());
}

beforeAll(async () => {
  await Promise.all(areas.map(listen));
});
afterAll(() => resources.disposeAsync());

/** A client of an area over HTTP. */
function overNetwork(area: SubgraphClient, name: string): SubgraphClient {
  behind.set(name, area);
  const client = createHttpSubgraph({ area: name as Area, url: urls.get(name) ?? '', key, ticketKey: key });
  resources.defer(() => client.close?.());
  return client;
}

test('generated operations over our supergraph return the same over HTTP as executeQueryPlan', async () => {
  const { ours } = supergraphs;
  if (ours === undefined) throw new Error('Our supergraph is not in the list.');
  const comparison = createComparison(ours(), overNetwork);
  resources.defer(() => comparison.close());
  const property = fc.asyncProperty(experiments(comparison.schema, { depth: 4, fields: 12 }), async (experiment) => {
    expect(await comparison.run(experiment)).toBeNull();
  });
  await fc.assert(property, { numRuns: 48, seed: 3 });
});

test('the merged parts of generated operations with @defer and @stream are the response', async () => {
  const { ours } = supergraphs;
  if (ours === undefined) throw new Error('Our supergraph is not in the list.');
  const comparison = createPartsComparison(ours(), overNetwork);
  resources.defer(() => comparison.close());
  const property = fc.asyncProperty(experiments(comparison.schema, { depth: 4, fields: 12 }), async (experiment) => {
    const outcome = await comparison.run(experiment);
    expect(outcome?.difference ?? null).toBeNull();
  });
  await fc.assert(property, { numRuns: 48, seed: 4 });
});
