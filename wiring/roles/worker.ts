/** The process of the role `worker`: the relay, and the workers of the areas. */
import { auditKeysOf } from '../../platform/events/audit-digest.ts';
import { readEnvironment } from '../../platform/env.ts';
import { createGraphClient } from '../../platform/http/graph-client.ts';
import { addMetrics } from '../../platform/http/metrics-route.ts';
import { createService } from '../../platform/http/service.ts';
import { areas, type Area } from '../../schema/areas.ts';
import { SYSTEM } from '../../schema/viewer.ts';
import type { Subgraph, SubgraphOptions } from '../../subgraphs/runtime/subgraph.ts';
import { openArea } from '../area.ts';
import { areaDatabaseUrl, relayDatabaseUrls } from '../database-urls.ts';
import { peerVariables } from '../environment.ts';
import { openImages } from '../images.ts';
import { requireInstallation } from '../installation.ts';
import { edge } from '../keys.ts';
import type { Open } from '../opened-process.ts';
import { areaSettings } from '../process-options.ts';
import { openRelays } from '../relay.ts';
import { openWorkers } from '../workers.ts';

export const openWorkerProcess: Open = async (source, log) => {
  const { ownerUrl, secrets } = requireInstallation('worker', source);
  const { ROUTER_URL } = readEnvironment(source, peerVariables);
  const client = createGraphClient({ url: ROUTER_URL, caller: 'worker', key: secrets.derive(edge('worker', 'router')) });
  const graph = client.asViewer(SYSTEM, 'relay');
  const { images } = openImages('worker', source, secrets, log);
  const settings = areaSettings(source);
  const graphAs: SubgraphOptions['graphAs'] = (viewer, requestId, _ticket, signal) => client.asViewer(viewer, requestId, signal);
  const openConsuming = (area: Area): Promise<Subgraph> => {
    const databaseUrl = areaDatabaseUrl(area, source, ownerUrl, secrets);
    return openArea(area, { databaseUrl, secrets, log, images, ...settings, sharesPool: true, graphAs });
  };
  const subgraphs = await Promise.all(areas.map(openConsuming));
  const relay = openRelays({
    databaseUrls: relayDatabaseUrls(source, ownerUrl, secrets),
    consumers: subgraphs.flatMap(({ consumers }) => consumers),
    graph,
    log,
    auditKeys: auditKeysOf(secrets),
  });
  const leadership = relay.leadershipOf('accounts');
  const workers = openWorkers({ subgraphs, leadership, allowLocalUrls: settings.allowLocalUrls, log });
  const database = async (): Promise<void> => {
    await Promise.all([relay, ...subgraphs].map((one) => one.ready()));
  };
  const app = createService({ log, readiness: { database } });
  addMetrics(app);
  const closeAreas = async (): Promise<void> => {
    await Promise.all([...subgraphs, client].map((each) => each.close()));
  };
  return {
    app,
    closeables: [
      [
        { name: 'server', close: () => app.close() },
        { name: 'workers', close: workers.close },
      ],
      [{ name: 'relay', close: relay.close }],
      [{ name: 'areas', close: closeAreas }],
    ],
  };
};
