/** The process of the role `sandbox`: the sandboxes of test mode, for routers in other processes. */
import { openDatabase } from '../../platform/database/database.ts';
import { readEnvironment } from '../../platform/env.ts';
import { createGraphClient } from '../../platform/http/graph-client.ts';
import { addMetrics } from '../../platform/http/metrics-route.ts';
import { formatSandboxSubject } from '../../platform/security/sandbox-subject.ts';
import { sandboxOwnerUrl } from '../database-urls.ts';
import { peerVariables } from '../environment.ts';
import { openImages } from '../images.ts';
import { requireInstallation } from '../installation.ts';
import { edge } from '../keys.ts';
import type { Open } from '../opened-process.ts';
import { allowsLocalUrls } from '../process-options.ts';
import { createSandboxes } from '../sandboxes/sandboxes.ts';
import { createSandboxServer } from '../sandboxes/server.ts';

export const openSandboxProcess: Open = (source, log) => {
  const { ownerUrl, secrets } = requireInstallation('sandbox', source);
  const { ROUTER_URL } = readEnvironment(source, peerVariables);
  const databaseUrl = sandboxOwnerUrl(source, ownerUrl, secrets);
  const graph = createGraphClient({
    url: ROUTER_URL,
    caller: 'sandbox',
    key: secrets.derive(edge('sandbox', 'router')),
    subjectOf: formatSandboxSubject,
  });
  const sandboxes = createSandboxes({
    ownerUrl: databaseUrl,
    secrets,
    log,
    images: openImages('sandbox', source, secrets, log).images,
    allowLocalUrls: allowsLocalUrls(source),
    graphAs: (viewer, requestId, ticket, signal) =>
      // a router issues tickets for callers, not for the system
      ticket === null || viewer.kind === 'SYSTEM'
        ? graph.asViewer(viewer, requestId, signal)
        : graph.as(ticket, requestId, signal),
  });
  const database = openDatabase({ url: databaseUrl, name: 'sandbox', poolSize: 1 });
  const app = createSandboxServer({
    sandboxes,
    routerKey: secrets.derive(edge('router', 'sandbox')),
    accountsKey: secrets.derive(edge('accounts', 'sandbox')),
    log,
    readiness: { database: () => database.ping() },
  });
  addMetrics(app);
  return Promise.resolve({
    app,
    closeables: [
      // with the sandboxes
      [{ name: 'server', close: () => app.close() }],
      [
        { name: 'graph', close: () => graph.close() },
        { name: 'database', close: () => database.close() },
      ],
    ],
  });
};
