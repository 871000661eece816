/** The platform's router over the shop: its graph with the compiled executor, without keys and quotas. */
import { ANONYMOUS } from '../../schema/viewer.ts';
import type { Area } from '../../schema/areas.ts';
import type { SubgraphClient } from '../../schema/subgraph-client.ts';
import { createLog } from '../../platform/log.ts';
import { createCompiledExecutor } from '../../router/executor/compiled-executor.ts';
import { createGraph } from '../../router/graph.ts';
import { createFramedSubgraph } from '../../router/transport/framed-subgraph.ts';
import { createHttpSubgraph } from '../../router/transport/http-subgraph.ts';
import { openAreas, shopKey, type OpenAreas } from './areas.ts';
import { serveQueries } from './query-server.ts';
import { shopAreas } from './shop.ts';
import type { OpenGateway } from './supergraph.ts';

/** How the router reaches areas in other processes. */
export type ShopTransport = 'FRAMES' | 'HTTP';

/**
 * The platform's transport: framed connections as deployed, or the HTTP that remains for areas without them, including the signatures
 * and tickets that the platform's areas check and the shop's areas do not.
 */
function remote(transport: ShopTransport, name: string, url: string | undefined): SubgraphClient {
  const create = transport === 'FRAMES' ? createFramedSubgraph : createHttpSubgraph;
  // Cast: the name is only part of tickets and error messages.
  return create({ area: name as Area, url: url ?? '', key: shopKey, ticketKey: shopKey });
}

function local(name: string, areas: OpenAreas): SubgraphClient {
  const execute = areas.of(name);
  return { query: async (request) => await execute(request) };
}

const open =
  (transport: ShopTransport): OpenGateway =>
  ({ supergraphSdl, apiSdl }, addresses) => {
    const areas = addresses === null ? openAreas() : null;
    const log = createLog({ name: 'shop', level: 'error' });
    const clientOf = (name: string) =>
      areas === null ? remote(transport, name, addresses?.[`shop ${name}`]) : local(name, areas);
    const clients = shopAreas.map((name) => [name, clientOf(name)] as const);
    const graph = createGraph({
      supergraphSdl,
      schemas: { public: apiSdl, admin: apiSdl, portal: apiSdl, internal: apiSdl },
      subgraphs: {},
      executor: createCompiledExecutor({ supergraphSdl, subgraphs: Object.fromEntries(clients), log }),
      log,
    });
    let requests = 0;
    return serveQueries({
      async respond({ query, variables, operationName }) {
        requests += 1;
        const operation = { text: query, operationName, audience: 'public' } as const;
        const { data, errors } = await graph.execute(operation, { variables, viewer: ANONYMOUS, requestId: String(requests) });
        return errors.length === 0 ? { data } : { data, errors };
      },
      ...(areas === null ? {} : { fetches: areas.fetches }),
      async close() {
        await graph.close();
        for (const [, client] of clients) await client.close?.();
      },
    });
  };

export const openOurs = open('HTTP');
export const openOursFramed = open('FRAMES');
