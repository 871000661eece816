/** HAProxy with deploy/haproxy.cfg in front of two rest processes and two routers of this machine. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { endWithThisProcess, freePort, waitForSuccess } from '../commands/local-process.ts';

const configuration = join(import.meta.dirname, '..', 'deploy', 'haproxy.cfg');
const hostOf = (url = ''): string => url.replace('http://', '');

export interface Haproxy {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts the installed HAProxy; resolves when it serves requests. `rest` and `router` are two URLs each. */
export async function startHaproxy(rest: readonly string[], router: readonly string[]): Promise<Haproxy> {
  const address = `127.0.0.1:${await freePort()}`;
  const env = {
    PATH: `${process.env['PATH'] ?? ''}:/usr/sbin`,
    PUBLIC_ADDRESS: address,
    REST_1: hostOf(rest[0]),
    REST_2: hostOf(rest[1]),
    ROUTER_1: hostOf(router[0]),
    ROUTER_2: hostOf(router[1]),
  };
  const child = endWithThisProcess(spawn('haproxy', ['-f', configuration], { env, stdio: 'ignore' }));
  const url = `http://${address}`;
  await waitForSuccess(`${url}/health`, child);
  return {
    url,
    async close() {
      if (child.exitCode !== null) return;
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
}
