/** The process of the role `router`: the GraphQL API, the graph, and the dashboard. */
import { readEnvironment } from '../../platform/env.ts';
import { addMetrics } from '../../platform/http/metrics-route.ts';
import { createService } from '../../platform/http/service.ts';
import { graphRoutes } from '../../router/graph-routes.ts';
import { limitEntryPoint } from '../../router/rest/entry-point-limit.ts';
import { restServer } from '../../router/rest/server.ts';
import { streamServer } from '../../router/streams/stream-server.ts';
import { createFramedSubgraph } from '../../router/transport/framed-subgraph.ts';
import { mapAreas } from '../../schema/areas.ts';
import type { SubgraphClient } from '../../schema/subgraph-client.ts';
import { routerDatabaseUrl, routerListenUrl } from '../database-urls.ts';
import { areaAddresses, peerVariables } from '../environment.ts';
import { requireInstallation } from '../installation.ts';
import { edge, graphCallers, ticketPurpose } from '../keys.ts';
import { oidcSettings } from '../oidc-environment.ts';
import type { Open } from '../opened-process.ts';
import { createIsMutation, openOptionalRedis, serverOptions } from '../process-options.ts';
import { addAdministration } from '../public-server/administration.ts';
import { addGraphql } from '../public-server/graphql.ts';
import { createPublicServer, overloadDelayMs } from '../public-server/public-server.ts';
import { openRouter } from '../router.ts';
import { createSandboxClient } from '../sandboxes/client.ts';

export const openRouterProcess: Open = async (source, log) => {
  const { ownerUrl, secrets } = requireInstallation('router', source);
  const ticketKey = secrets.derive(ticketPurpose);
  const server = serverOptions(source, log);
  const addresses = areaAddresses(source);
  const subgraphs = mapAreas<SubgraphClient>((area) =>
    createFramedSubgraph({ area, url: addresses[area], key: secrets.derive(edge('router', area)), ticketKey }),
  );
  const { SANDBOX_URL } = readEnvironment(source, peerVariables);
  const sandboxKey = secrets.derive(edge('router', 'sandbox'));
  const sandboxes = SANDBOX_URL.length === 0 ? null : createSandboxClient({ url: SANDBOX_URL, key: sandboxKey, ticketKey, log });
  const { redis, closeable } = await openOptionalRedis(source, 'router', log);
  const opened = openRouter({
    subgraphs,
    sandboxes,
    databaseUrl: routerDatabaseUrl(source, ownerUrl, secrets),
    listenUrl: routerListenUrl(source, ownerUrl, secrets),
    redis,
    secrets,
    log,
    schemaFolder: server.schemaFolder,
    baseDomain: server.baseDomain,
  });
  // the process is ready meanwhile: planning takes half of the time of a start; a rejection ends the process
  void opened.planAhead();
  const options = { ...server, oidc: oidcSettings(source), readiness: { database: opened.ready } };
  const app = await createPublicServer(options);
  await addGraphql(app, opened, options);
  await addAdministration(app, opened, options);
  const internal = createService({ log, readiness: options.readiness, maxEventLoopDelayMs: overloadDelayMs });
  addMetrics(internal);
  const restKey = secrets.derive(edge('rest', 'router'));
  await internal.register(restServer, {
    entryPoint: limitEntryPoint(opened.entryPoint, server.gate),
    key: restKey,
    isMutation: createIsMutation(),
  });
  await internal.register(streamServer, { eventStreams: opened.eventStreams, key: restKey });
  const keys = new Map(graphCallers.map((caller) => [caller, secrets.derive(edge(caller, 'router'))]));
  await internal.register(graphRoutes, { graph: opened.graph, keys, ticketKey });
  const closeAreas = async (): Promise<void> => {
    await Promise.all([...Object.values(subgraphs), sandboxes].map(async (client) => await client?.close?.()));
  };
  return {
    app,
    internal,
    reload: opened.reload,
    closeables: [
      [
        { name: 'server', close: () => app.close() },
        { name: 'internal server', close: () => internal.close() },
      ],
      [{ name: 'router', close: opened.close }],
      [closeable, { name: 'areas', close: closeAreas }],
    ],
  };
};
