/** The process of one area. */
import { readEnvironment } from '../../platform/env.ts';
import { createGraphClient } from '../../platform/http/graph-client.ts';
import { addMetrics } from '../../platform/http/metrics-route.ts';
import type { Area } from '../../schema/areas.ts';
import { createAreaServer } from '../../subgraphs/runtime/server.ts';
import { openArea } from '../area.ts';
import { areaDatabaseUrl } from '../database-urls.ts';
import { dataVariables, peerVariables } from '../environment.ts';
import { openImages } from '../images.ts';
import { requireInstallation } from '../installation.ts';
import { edge } from '../keys.ts';
import type { Open } from '../opened-process.ts';
import { allowsLocalUrls, openOptionalRedis } from '../process-options.ts';
import { createResetClient } from '../sandboxes/reset-client.ts';

/** Opens an area as a process. */
export const openAreaProcess =
  (area: Area): Open =>
  async (source, log) => {
    const { ownerUrl, secrets } = requireInstallation(area, source);
    const { ROUTER_URL, SANDBOX_URL } = readEnvironment(source, peerVariables);
    const graph = createGraphClient({ url: ROUTER_URL, caller: area, key: secrets.derive(edge(area, 'router')) });
    // only the accounts area reads counters and publishes key changes
    const { redis, closeable } = await openOptionalRedis(area === 'accounts' ? source : {}, area, log);
    const testData =
      area === 'accounts' && SANDBOX_URL.length > 0
        ? createResetClient({ url: SANDBOX_URL, key: secrets.derive(edge('accounts', 'sandbox')) })
        : null;
    const subgraph = await openArea(area, {
      databaseUrl: areaDatabaseUrl(area, source, ownerUrl, secrets),
      poolSize: readEnvironment(source, dataVariables).DATABASE_POOL_SIZE,
      redis,
      secrets,
      log,
      images: openImages(area, source, secrets, log).images,
      allowLocalUrls: allowsLocalUrls(source),
      resetTestData: testData?.reset,
      graphAs: (_viewer, requestId, ticket, signal) => graph.as(ticket, requestId, signal),
    });
    const key = secrets.derive(edge('router', area));
    const app = createAreaServer(subgraph, { key, log, readiness: { database: subgraph.ready } });
    addMetrics(app);
    return {
      app,
      closeables: [
        [{ name: 'server', close: () => app.close() }],
        [{ name: 'graph', close: () => graph.close() }, { name: 'sandbox', close: async () => testData?.close() }, closeable],
      ],
    };
  };
