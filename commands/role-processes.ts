/** The processes of docker-compose.yml on this machine, without containers: one or more instances of each role, with its command and environment. */
import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Secrets } from '../platform/security/secrets.ts';
import { formatKeys } from '../platform/security/secrets.ts';
import { keyedRoles, keysVariable, purposesOf } from '../wiring/keys.ts';
import { environmentOf, serviceOf } from './compose-file.ts';
import { endWithThisProcess, freePort, waitForSuccess } from './local-process.ts';

const root = join(import.meta.dirname, '..');

/** The number of instances by role, default 1, and whether the other processes receive the addresses of all or of the first one. */
export type Instances = Readonly<Record<string, { readonly count: number; readonly isListed: boolean }>>;

export interface RoleProcessesOptions {
  /** In place of the service postgres: host and database, and the owner for migrations. */
  readonly databaseUrl: string;
  /** The variables of .env. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** In place of the volume of images. */
  readonly imageFolder: string;
  readonly instances?: Instances;
  /** Whether the first instance of a role listens on the port of docker-compose.yml; otherwise, and for further instances, a free one. */
  readonly usesFixedPorts?: boolean;
  /** Receives the standard output of each process; default: it is discarded. */
  readonly onOutput?: (name: string, output: Readable) => void;
}

interface Ports {
  readonly port: number;
  /** Of routers. */
  readonly internalPort: number;
  /** Of rest. */
  readonly metricsPort: number;
}

export interface RoleProcesses {
  /** `router`, and `router-2` for the second instance. */
  readonly names: readonly string[];
  url(name: string): string;
  internalUrl(name: string): string;
  metricsUrl(name: string): string;
  /** The process IDs of running processes. */
  pids(): ReadonlyMap<string, number>;
  /** Starts a process; resolves when it responds to /health. A further instance of a role can be started, unknown to the others. */
  start(name: string): Promise<void>;
  /** Resolves when the process has ended. */
  stop(name: string, signal?: NodeJS.Signals): Promise<void>;
  /** Stops all in order: those that depend on others first. */
  close(): Promise<void>;
}

/** The variables of .env that `npm run secrets` creates for the roles. */
export const keyVariables = (secrets: Secrets): Record<string, string> =>
  Object.fromEntries(keyedRoles.map((role) => [keysVariable(role), formatKeys(secrets, purposesOf(role))]));

/** Further instances of a role have its name and a number. */
export const roleOf = (name: string): string => name.replace(/-\d+$/, '');

const namesOf = (role: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => (index === 0 ? role : `${role}-${index + 1}`));

/** The number of services that must run before a role. */
function depthOf(role: string): number {
  const dependencies = Object.keys(serviceOf(role).depends_on ?? {});
  return 1 + Math.max(0, ...dependencies.map(depthOf));
}

async function findPorts(name: string, usesFixedPorts: boolean): Promise<Ports> {
  const { PORT, INTERNAL_PORT = 0, METRICS_PORT = 0 } = serviceOf(roleOf(name)).environment ?? {};
  if (usesFixedPorts && name === roleOf(name))
    return { port: Number(PORT), internalPort: Number(INTERNAL_PORT), metricsPort: Number(METRICS_PORT) };
  return { port: await freePort(), internalPort: await freePort(), metricsPort: await freePort() };
}

/** Starts nothing yet. */
export async function createRoleProcesses(options: RoleProcessesOptions): Promise<RoleProcesses> {
  const { databaseUrl, variables, imageFolder, instances = {}, usesFixedPorts = false, onOutput } = options;
  const names = keyedRoles.flatMap((role) => namesOf(role, instances[role]?.count ?? 1));
  const ports = new Map<string, Ports>();
  for (const name of names) ports.set(name, await findPorts(name, usesFixedPorts));
  const running = new Map<string, ChildProcess>();
  const url = (name: string): string => `http://127.0.0.1:${ports.get(name)?.port ?? 0}`;
  const internalUrl = (name: string): string => `http://127.0.0.1:${ports.get(name)?.internalPort ?? 0}`;
  const metricsUrl = (name: string): string => `http://127.0.0.1:${ports.get(name)?.metricsPort ?? 0}`;

  /** A URL of another service, with its host and port on this machine. */
  function resolveUrl(value: string): string {
    const target = URL.parse(value);
    if (target?.hostname === 'postgres') {
      const { host, pathname } = new URL(databaseUrl);
      target.host = host;
      target.pathname = pathname;
      return target.href;
    }
    const role = target?.hostname ?? '';
    const isListed = instances[role]?.isListed ?? false;
    const found = names.filter((name) => (isListed ? roleOf(name) : name) === role);
    return found.length === 0 ? value : found.map(role === 'router' ? internalUrl : url).join(',');
  }

  function environment(name: string): Record<string, string> {
    const { port = 0, internalPort = 0, metricsPort = 0 } = ports.get(name) ?? {};
    const given = Object.entries(environmentOf(roleOf(name), variables)).map(([key, value]) => [key, resolveUrl(value)] as const);
    const declared: Record<string, string> = Object.fromEntries(given);
    return {
      ...declared,
      PORT: String(port),
      ...('INTERNAL_PORT' in declared && { INTERNAL_PORT: String(internalPort) }),
      ...('METRICS_PORT' in declared && { METRICS_PORT: String(metricsPort), METRICS_HOST: '127.0.0.1' }),
      PATH: process.env['PATH'] ?? '',
      HOST: '127.0.0.1',
      INTERNAL_HOST: '127.0.0.1',
      ...('IMAGE_DIRECTORY' in declared && { IMAGE_DIRECTORY: imageFolder }),
    };
  }

  async function start(name: string): Promise<void> {
    if (!ports.has(name)) ports.set(name, await findPorts(name, false));
    const child = endWithThisProcess(
      spawn(process.execPath, ['main.ts', ...(serviceOf(roleOf(name)).command ?? [])], {
        cwd: root,
        env: environment(name),
        stdio: ['ignore', onOutput === undefined ? 'ignore' : 'pipe', 'inherit'],
        // Ctrl-C in a terminal reaches the whole group: the parent stops its processes in order
        detached: onOutput !== undefined,
      }),
    );
    running.set(name, child);
    if (child.stdout !== null) onOutput?.(name, child.stdout);
    await waitForSuccess(`${url(name)}/health`, child);
  }

  async function stop(name: string, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const child = running.get(name);
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await ended;
  }

  async function close(): Promise<void> {
    const waves = Map.groupBy(running.keys(), (name) => depthOf(roleOf(name)));
    for (const depth of [...waves.keys()].sort((one, other) => other - one))
      await Promise.all((waves.get(depth) ?? []).map((name) => stop(name)));
  }

  const pids = () => new Map([...running].map(([name, child]) => [name, child.pid ?? 0]));
  return { names, url, internalUrl, metricsUrl, pids, start, stop, close };
}
