/** The sandbox of an account: the areas, the relay and the workers of the platform on a separate database. */
import { mapAreas, mapAreasAsync, type Area } from '../../schema/areas.ts';
import type { Graph } from '../../schema/entry-point.ts';
import { Problem } from '../../schema/errors.ts';
import type { SubgraphClient, Ticket } from '../../schema/subgraph-client.ts';
import { inSandbox, SYSTEM, type Viewer } from '../../schema/viewer.ts';
import { protectSubgraph } from '../../router/protection/protected-subgraph.ts';
import type { Subgraph } from '../../subgraphs/runtime/subgraph.ts';
import type { Secrets } from '../../platform/security/secrets.ts';
import { resealValues } from '../../subgraphs/accounts/secret-rotation.ts';
import { openArea, type AreaOptions } from '../area.ts';
import { sandboxPurpose } from '../keys.ts';
import { openRelays, type RelaysOptions } from '../relay.ts';
import { openWorkers } from '../workers.ts';
import { hasPendingDeliveries, prepareSandboxDatabase, type SandboxDatabaseOptions } from './database.ts';

export interface SandboxOptions
  extends
    SandboxDatabaseOptions,
    Pick<AreaOptions, 'images' | 'onStatement'>,
    Pick<RelaysOptions, 'maintenanceMs' | 'catchUpMs'> {
  readonly secrets: Secrets;
  readonly allowLocalUrls: boolean;
  /** The graph, which sends the operations of a viewer in a sandbox back to it. The ticket as in SubgraphOptions. */
  readonly graphAs: (viewer: Viewer, requestId: string, ticket: Ticket | null, signal: AbortSignal | undefined) => Graph;
}

export interface Sandbox {
  readonly subgraphs: Readonly<Record<Area, SubgraphClient>>;
  /** Resolves when all events committed before the call are consumed and sent. */
  drain(): Promise<void>;
  /** Runs the periodic work of the relay and of workers. */
  maintain(): Promise<void>;
  /** Whether webhook deliveries wait for their next attempt. */
  hasPendingDeliveries(): Promise<boolean>;
  close(): Promise<void>;
}

/** Connections of an area: few, because many sandboxes share the connections of the server. */
const poolSize = 2;

/**
 * Opens areas one after the other: each blocks the process for a moment, and requests are handled in between. Closes those that are open when
 * another one fails.
 */
async function openAreas(open: (area: Area) => Promise<Subgraph>): Promise<Record<Area, Subgraph>> {
  const openings: Promise<Subgraph>[] = [];
  return mapAreasAsync((area) => {
    const opening = Promise.resolve(openings.at(-1)).then(() => open(area));
    openings.push(opening);
    return opening;
  }).catch(async (error: unknown) => {
    for (const opening of openings) await opening.then((subgraph) => subgraph.close()).catch(() => undefined);
    throw error;
  });
}

/** The keys of test data are not those of the platform: a process with sandboxes needs none of them. */
const keysOfTestData = ({ version, previous, derive }: Secrets): Secrets => ({
  version,
  previous: previous && keysOfTestData(previous),
  derive: (purpose) => derive(sandboxPurpose(purpose)),
});

/** Opens the sandbox; creates its database first if needed, with the images of deleted test data. */
export async function openSandbox(
  accountId: string,
  options: SandboxOptions,
  unusedImages: readonly string[] = [],
): Promise<Sandbox> {
  const { log, images, onStatement, allowLocalUrls, maintenanceMs, catchUpMs } = options;
  const secrets = keysOfTestData(options.secrets);
  const ownerUrl = (await prepareSandboxDatabase(accountId, options, unusedImages)).href;
  await resealValues(ownerUrl, secrets);
  let isClosing = false;
  // a call of a closing sandbox would reach the next one of the account
  const graphAs =
    (viewer: Viewer, requestId: string, ticket: Ticket | null = null, signal?: AbortSignal): Graph =>
    (operation, variables, notes) => {
      if (isClosing) return Promise.reject(new Problem('upstream_unavailable', 'The test data is closed. Retry the request.'));
      return options.graphAs(inSandbox(viewer, accountId), requestId, ticket, signal)(operation, variables, notes);
    };
  const subgraphs = await openAreas((area) =>
    openArea(area, {
      databaseUrl: ownerUrl,
      secrets,
      log,
      graphAs,
      images,
      onStatement,
      allowLocalUrls,
      mode: 'TEST',
      poolSize,
      sharesPool: true,
    }),
  );
  const all = Object.values(subgraphs);
  const relay = openRelays({
    databaseUrls: mapAreas(() => ownerUrl),
    consumers: all.flatMap(({ consumers }) => consumers),
    graph: graphAs(SYSTEM, 'relay'),
    log,
    // a metric per account would be unbounded
    reportsLag: false,
    maintenanceMs,
    catchUpMs,
  });
  const workers = openWorkers({ subgraphs: all, leadership: relay.leadershipOf('accounts'), allowLocalUrls, log });
  return {
    subgraphs: mapAreas((area) => protectSubgraph(subgraphs[area], { area, log })),
    async drain() {
      await relay.drain();
      await workers.drain();
    },
    async maintain() {
      await relay.maintain();
      await workers.maintain();
    },
    hasPendingDeliveries: () => hasPendingDeliveries(ownerUrl),
    async close() {
      isClosing = true;
      await workers.close();
      await relay.close();
      for (const subgraph of all) await subgraph.close();
    },
  };
}
