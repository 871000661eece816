/** The platform itself, by the same build functions as main.ts: all in one process, or one role. */
import { createLog } from '../../platform/log.ts';
import { areas } from '../../schema/areas.ts';
import { openProcess } from '../../wiring/processes.ts';
import type { OpenPart, PartSettings } from '../part.ts';
import { listen } from './listen.ts';

/** Areas find one another at `addresses`; the area's own way back to the router is not used by reads. */
export async function openRole(role: string, { ownerUrl, secret, addresses, environment }: PartSettings): Promise<OpenPart> {
  const source = {
    DATABASE_URL: ownerUrl,
    SECRET: secret,
    TRUST_PROXY: '127.0.0.1',
    ...environment,
    ...Object.fromEntries(
      areas.flatMap((area) => (addresses[area] === undefined ? [] : [[`${area.toUpperCase()}_URL`, addresses[area]]])),
    ),
  };
  const log = createLog({ name: role, level: 'info' });
  // the bench has migrated and filled the database
  const { app, closeables } = await openProcess(role, source, log, () => Promise.resolve());
  const { url } = await listen(app, []);
  return {
    url,
    async close() {
      for (const { close } of closeables) await close();
    },
  };
}
