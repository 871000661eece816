/** Records the version of the platform when it starts, for the markers of analytics. */
import { release } from '../../../platform/release.ts';
import { sql } from '../../../platform/database/database.ts';
import type { OpenWorker } from '../../../platform/events/worker.ts';
import type { AreaServices } from '../../runtime/subgraph.ts';

/** Describes the worker: the leader records its version, unless the latest one is the same. */
export const deploymentWorker =
  ({ database }: Pick<AreaServices, 'database'>): OpenWorker =>
  ({ leadership }) => {
    const record = async (): Promise<void> =>
      void (await database.query(sql`/* deployments.record */ insert into deployment (version)
        select ${release} where ${release} is distinct from (select version from deployment order by started_at desc limit 1)
        on conflict (started_at) do nothing`));
    const pass = async (): Promise<number> => {
      await record();
      return Infinity;
    };
    const loop = leadership.run({ name: 'deployments', channels: [], pass, onElected: () => undefined, pollMs: Infinity });
    return { drain: () => Promise.resolve(), maintain: record, close: () => loop.close() };
  };
