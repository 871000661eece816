/** The platform as one process per role, as docker-compose runs it: the same commands and environment. */
import { spawn, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openSecrets, formatKeys } from '../platform/security/secrets.ts';
import type { StripeSettings } from '../schema/billing.ts';
import { keyedRoles, keysVariable, purposesOf } from '../wiring/keys.ts';
import { startBalancer, type Balancer } from './balancer.ts';
import { environmentOf, serviceOf } from './compose-file.ts';
import type { ClonedDatabase } from './database.ts';

const root = join(import.meta.dirname, '..');
const startTimeoutMs = 150_000;

/** Additional containers of a service have its name and a number. */
const serviceName = (name: string): string => name.replace(/-\d+$/, '');

/** Whether a process can listen on a port. */
async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const listening = new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => resolve(true));
  });
  if (!(await listening)) return false;
  await new Promise((resolve) => server.close(resolve));
  return true;
}

/** A free port below the range from which systems take the ports of outgoing connections: none of those takes it before the caller listens. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_000);
    if (await isFree(port)) return port;
  }
}

/** Resolves when the URL returns a successful response. Throws Error on a timeout, or when the process exits. */
export async function waitForSuccess(url: string, child?: ChildProcess): Promise<void> {
  const deadline = Date.now() + startTimeoutMs;
  for (;;) {
    if (child !== undefined && child.exitCode !== null) throw new Error(`the process for ${url} exited with ${child.exitCode}`);
    const ok = await fetch(url).then(
      (response) => response.ok,
      () => false,
    );
    if (ok) return;
    if (Date.now() > deadline) throw new Error(`${url} does not respond`);
    await sleep(100);
  }
}

/** The variables of .env, as `npm run secrets` creates them from the secret of the test databases. */
function testVariables(): Record<string, string> {
  const secrets = openSecrets(process.env['TEST_SECRET'] ?? '');
  const keys = keyedRoles.map((role) => [keysVariable(role), formatKeys(secrets, purposesOf(role))]);
  return { ...Object.fromEntries(keys), TRUST_PROXY: '127.0.0.1', LOG_LEVEL: 'error', WEBHOOKS_ALLOW_LOCAL: 'true' };
}

/**
 * Starts the service of every role (and the requested number of routers) with the command and environment of
 * docker-compose.yml. Uses free local ports in place of the hosts, `databaseUrl` in place of the postgres service, and a folder in place
 * of the volume of images.
 * `balanced` services have two processes behind a balancer. Resolves when every service responds to /health.
 */
export async function startServices(
  databaseUrl: string,
  variables: Readonly<Record<string, string | undefined>>,
  imageFolder: string,
  routers = 1,
  balanced: readonly string[] = [],
) {
  const names = [...keyedRoles, ...Array.from({ length: routers - 1 }, (_, index) => `router-${index + 2}`)];
  for (const name of balanced) names.push(`${name}-2`);
  const freePorts = async (name: string) => [name, { port: await freePort(), internalPort: await freePort() }] as const;
  const ports = new Map(await Promise.all(names.map(freePorts)));
  const url = (name: string): string => `http://127.0.0.1:${ports.get(name)?.port ?? 0}`;
  const balancers = new Map<string, Balancer>();
  for (const name of balanced) {
    const backends = [name, `${name}-2`].map((each) => {
      const { port = 0, internalPort = 0 } = ports.get(each) ?? {};
      return { port: name === 'router' ? internalPort : port, origin: url(each) };
    });
    balancers.set(name, await startBalancer(backends));
  }

  /** A URL of another service, with its host and port in this test. */
  function resolveUrl(value: string): string {
    const target = URL.parse(value);
    if (target === null) return value;
    if (target.hostname === 'postgres') {
      const { host, pathname } = new URL(databaseUrl);
      target.host = host;
      target.pathname = pathname;
      return target.href;
    }
    const known = ports.get(target.hostname);
    if (known === undefined) return value;
    const own = target.hostname === 'router' ? known.internalPort : known.port;
    target.port = String(balancers.get(target.hostname)?.port ?? own);
    target.hostname = '127.0.0.1';
    return target.href;
  }

  function environment(name: string): Record<string, string> {
    const { port = 0, internalPort = 0 } = ports.get(name) ?? {};
    const given = Object.entries(environmentOf(serviceName(name), variables)).map(([key, value]) => [key, resolveUrl(value)]);
    const { PORT, INTERNAL_PORT, ...rest } = Object.fromEntries(given) as Record<string, string>;
    if (PORT === undefined) throw new Error(`the service ${name} has no PORT`);
    return {
      ...rest,
      PORT: String(port),
      ...(INTERNAL_PORT !== undefined && { INTERNAL_PORT: String(internalPort) }),
      PATH: process.env['PATH'] ?? '',
      HOST: '127.0.0.1',
      INTERNAL_HOST: '127.0.0.1',
      ...('IMAGE_DIRECTORY' in rest && { IMAGE_DIRECTORY: imageFolder }),
    };
  }
  const running = new Map<string, ChildProcess>();

  async function start(name: string): Promise<void> {
    // an additional container
    if (!ports.has(name)) ports.set(...(await freePorts(name)));
    const child = spawn(process.execPath, ['main.ts', ...(serviceOf(serviceName(name)).command ?? [])], {
      cwd: root,
      env: environment(name),
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    running.set(name, child);
    await waitForSuccess(`${url(name)}/health`, child);
  }

  async function stop(name: string, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const child = running.get(name);
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await ended;
  }

  const close = async (): Promise<void> => {
    await Promise.all([...running.keys()].map((name) => stop(name)));
    for (const balancer of balancers.values()) await balancer.close();
  };
  try {
    await Promise.all(names.map(start));
    await waitForSuccess(`${url('rest')}/ready`);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    restUrl: balancers.has('rest') ? `http://127.0.0.1:${balancers.get('rest')?.port ?? 0}` : url('rest'),
    graphqlUrl: url('router'),
    internalUrl: `http://127.0.0.1:${ports.get('router')?.internalPort ?? 0}`,
    routerUrls: names.filter((name) => name.startsWith('router')).map(url),
    processes: { stop, start, url, pids: new Map([...running].map(([name, child]) => [name, child.pid ?? 0])) },
    // Commits wake up the relay. Tests wait for its effects.
    settled: () => sleep(600).then(() => undefined),
    close,
  };
}

interface ProcessOptions {
  readonly stripe?: StripeSettings | undefined;
  readonly balanced?: readonly string[] | undefined;
}

/** Starts the services on a clone of the test database. Only processes behind a balancer drain. */
export function startProcesses(
  database: ClonedDatabase,
  routers: number,
  imageFolder: string,
  { stripe, balanced }: ProcessOptions,
) {
  const stripeVariables = stripe && {
    STRIPE_SECRET_KEY: stripe.secretKey,
    STRIPE_METER_EVENT_NAME: stripe.eventName,
    STRIPE_API_URL: stripe.url,
  };
  const DRAIN_SECONDS = balanced === undefined ? '' : '2';
  return startServices(
    database.ownerUrl,
    { ...testVariables(), ...stripeVariables, DRAIN_SECONDS },
    imageFolder,
    routers,
    balanced,
  );
}
