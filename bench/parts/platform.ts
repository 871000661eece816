/** The platform, built with the same functions as main.ts: all in one process, or one role. */
import { createLog } from '../../platform/log.ts';
import { areas } from '../../schema/areas.ts';
import { openProcess } from '../../wiring/processes.ts';
import type { OpenPart, PartSettings } from '../part.ts';
import { listen } from './listen.ts';

/** Areas reach each other at `addresses`; reads do not use the areas' connection to the router. */
export async function openRole(role: string, { ownerUrl, secret, addresses, environment }: PartSettings): Promise<OpenPart> {
  const source = {
    DATABASE_URL: ownerUrl,
    SECRET: secret,
    TRUST_PROXY: '127.0.0.1',
    // a benchmark repeats the same request
    RESPONSE_CACHE_MIB: '0',
    ...environment,
    ...Object.fromEntries(
      areas.flatMap((area) => (addresses[area] === undefined ? [] : [[`${area.toUpperCase()}_URL`, addresses[area]]])),
    ),
  };
  const log = createLog({ name: role, level: 'info' });
  // the benchmark has migrated and seeded the database
  const { app, closeables } = await openProcess(role, source, log, () => Promise.resolve());
  const { url } = await listen(app, []);
  return {
    url,
    async close() {
      for (const { close } of closeables.flat()) await close();
    },
  };
}
