/** The roles of a process. A process loads the modules of its role only, which halves the time of its start. */
import type { Logger } from 'pino';
import { areas } from '../schema/areas.ts';
import type { Source } from './environment.ts';
import type { Open, Opened, Prepare } from './opened-process.ts';

const openers: Readonly<Record<string, () => Promise<Open>>> = {
  all: async () => (await import('./roles/all.ts')).openAllProcess,
  router: async () => (await import('./roles/router.ts')).openRouterProcess,
  rest: async () => (await import('./roles/rest.ts')).openRestProcess,
  worker: async () => (await import('./roles/worker.ts')).openWorkerProcess,
  sandbox: async () => (await import('./roles/sandbox.ts')).openSandboxProcess,
  ...Object.fromEntries(areas.map((area) => [area, async () => (await import('./roles/area.ts')).openAreaProcess(area)])),
};

export const roles: readonly string[] = Object.keys(openers);

/** Opens the process of a role. The caller starts to listen and closes the resources in order. */
export async function openProcess(role: string, source: Source, log: Logger, prepare: Prepare): Promise<Opened> {
  const load = openers[role];
  if (!load) throw new Error(`Unknown role ${role}. Roles: ${roles.join(', ')}.`);
  const open = await load();
  return open(source, log, prepare);
}
