/** Responses of areas that are not GraphQL: each is an error of the part that it concerns, never a silent null. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, test } from '@jest/globals';
import { createHttpSubgraph } from '../../router/transport/http-subgraph.ts';
import type { SubgraphClient, SubgraphRequest, SubgraphResponse } from '../../schema/subgraph-client.ts';
import { execute, type Case } from './scripted-areas.ts';

const areas = {
  products: `type Query { product: Product banner: String } type Mutation { rename(name: String): Product count: Int }
    type Product @key(fields: "id") { id: ID! name: String }`,
  reviews: 'type Product @key(fields: "id") { id: ID! stars: Int }',
};
const product = { __typename: 'Product', id: '7', name: 'Ball' };
const unavailable = (area: string) => ({
  message: `The area ${area} is unavailable. Retry the request.`,
  extensions: { code: 'upstream_unavailable' },
});

const servers: Server[] = [];
const clients: SubgraphClient[] = [];
afterAll(async () => {
  for (const client of clients) await client.close?.();
  for (const server of servers) server.closeAllConnections();
});

/** The same area in another process: its response crosses the network as JSON. */
function overHttp(area: string, direct: SubgraphClient): SubgraphClient {
  const server = createServer((request, response) => {
    const respond = async (): Promise<void> => {
      const body = JSON.parse(await text(request)) as SubgraphRequest;
      response.end(JSON.stringify(await direct.query(body)));
    };
    void respond();
  });
  servers.push(server);
  let client: SubgraphClient | undefined;
  return {
    async query(request) {
      if (client === undefined) {
        await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve).unref());
        const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
        client = createHttpSubgraph({ area: area as 'athletes', url, key: Buffer.alloc(32), ticketKey: Buffer.alloc(32) });
        clients.push(client);
      }
      return await client.query(request);
    },
  };
}

describe.each([
  ['in process', undefined],
  ['over HTTP', overHttp],
])('an area %s that responds with', (_, through) => {
  const run = (given: Pick<Case, 'operation' | 'responses'>) => execute({ areas, ...given, ...(through && { through }) });
  // the area violates its contract
  const respond = (value: unknown) => [value as SubgraphResponse];

  test.each([
    '{}',
    '[]',
    '"x"',
    'null',
    '7',
    '{"data":null}',
    '{"data":[]}',
    '{"data":"x"}',
    '{"data":null,"errors":[]}',
    '{"errors":{}}',
    '{"errors":["x"]}',
    '{"data":{"product":null},"errors":"x"}',
  ])('%s is unavailable, in a query and in a mutation', async (json) => {
    const responses = { products: respond(JSON.parse(json)) };
    const query = await run({ operation: '{ product { name } }', responses });
    expect(query).toMatchObject({ data: { product: null }, errors: [{ ...unavailable('products'), path: ['product'] }] });
    const mutation = await run({ operation: 'mutation { rename(name: "x") { name } }', responses });
    expect(mutation).toMatchObject({ data: { rename: null }, errors: [{ ...unavailable('products'), path: ['rename'] }] });
  });

  test('a part of the requested root fields is unavailable for the others', async () => {
    const operation = '{ product { name } notice: banner }';
    const { data, errors } = await run({ operation, responses: { products: respond({ data: { product } }) } });
    expect(data).toEqual({ product: { name: 'Ball' }, notice: null });
    expect(errors).toEqual([{ ...unavailable('products'), path: ['notice'] }]);
  });

  test('an error for one absent root field is unavailable only for the field without one', async () => {
    const error = { message: 'Gone.', path: ['banner'], extensions: { code: 'gone' } };
    const operation = '{ product { name } banner }';
    const { errors } = await run({ operation, responses: { products: respond({ data: {}, errors: [error] }) } });
    expect(errors).toEqual([{ ...unavailable('products'), path: ['product'] }, error]);
  });

  test.each(['{}', '{"_entities":null}', '{"_entities":"x"}', '{"_entities":[]}', '{"_entities":[null,null]}'])(
    'entities %s is unavailable at their place',
    async (json) => {
      const responses = { products: respond({ data: { product } }), reviews: respond({ data: JSON.parse(json) }) };
      const { data, errors } = await run({ operation: '{ product { name stars } }', responses });
      expect(data).toEqual({ product: { name: 'Ball', stars: null } });
      expect(errors).toEqual([{ ...unavailable('reviews'), path: ['product'] }]);
    },
  );
});
