/** Checks of other processes and servers: Redis, the processes of the platform, and certificates. */
import { connect, type PeerCertificate } from 'node:tls';
import { Redis } from 'ioredis';
import { readEnvironment } from '../../platform/env.ts';
import { allVariables } from '../../wiring/all-variables.ts';
import { dataVariables, peerVariables, type Source } from '../../wiring/environment.ts';
import { failed, messageOf, ok, rated, warning, type Check, type Finding } from './finding.ts';

const timeoutMs = 3_000;
const dayMs = 86_400_000;

async function checkRedis(url: string): Promise<Finding[]> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: timeoutMs,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    const info = await redis.info('server');
    const version = /redis_version:([\d.]+)/.exec(info)?.[1] ?? 'unknown';
    const [seconds = 0] = (await redis.time()).map(Number);
    const differenceMs = Math.abs(seconds * 1_000 - Date.now());
    const settings: unknown = await redis.config('GET', 'maxmemory-policy').catch(() => []);
    const policy = Array.isArray(settings) ? settings.map(String)[1] : undefined;
    return [
      Number.parseInt(version, 10) >= 7
        ? ok('Redis', `version ${version}`)
        : failed('Redis', `version ${version}`, 'Upgrade to Redis 7.'),
      policy === undefined || policy === 'noeviction'
        ? ok('memory policy of Redis', policy ?? 'not readable')
        : warning('memory policy of Redis', policy, 'Set maxmemory-policy noeviction: otherwise counters are lost.'),
      rated(
        'clock of Redis',
        { value: differenceMs, detail: `${differenceMs} ms from this machine`, fix: 'Synchronize the clocks of both machines.' },
        [3_000, 60_000],
      ),
    ];
  } finally {
    redis.disconnect();
  }
}

/** Whether a process responds and is ready, and its clock from the header `Date`. */
async function checkProcess(name: string, origin: string): Promise<Finding[]> {
  const check = `process ${name}`;
  const get = (path: string) => fetch(new URL(path, origin), { signal: AbortSignal.timeout(timeoutMs), redirect: 'manual' });
  let health: Response;
  try {
    health = await get('/health');
  } catch (error) {
    const reason = messageOf(error instanceof Error ? (error.cause ?? error) : error);
    return [failed(check, `${origin} does not respond: ${reason}`, 'Start the process, or correct its address.')];
  }
  const ready = await get('/ready');
  const date = Date.parse(health.headers.get('date') ?? '');
  const differenceMs = Number.isNaN(date) ? 0 : Math.max(0, Math.abs(date - Date.now()) - 1_000);
  const clock = rated(
    `clock of ${name}`,
    {
      value: differenceMs,
      detail: `${Math.round(differenceMs / 1_000)} s from this machine`,
      fix: 'Synchronize the clocks of both machines.',
    },
    [5_000, 60_000],
  );
  if (!health.ok) return [failed(check, `${origin}/health returned ${health.status}`, 'Read the log of the process.'), clock];
  return [
    ready.ok
      ? ok(check, `${origin} is ready`)
      : failed(check, `${origin} is not ready: ${await ready.text()}`, 'Read the log of the process.'),
    clock,
  ];
}

function certificateOf(url: URL): Promise<{ readonly certificate: PeerCertificate; readonly error: string | null }> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = url;
    const socket = connect({ host: hostname, port: Number(port || 443), servername: hostname, rejectUnauthorized: false });
    socket.setTimeout(timeoutMs, () => socket.destroy(new Error('no response')));
    socket.once('error', reject);
    socket.once('secureConnect', () => {
      resolve({ certificate: socket.getPeerCertificate(), error: socket.authorized ? null : String(socket.authorizationError) });
      socket.end();
    });
  });
}

async function checkCertificate(address: string): Promise<Finding> {
  const url = new URL(address);
  const check = `certificate of ${url.host}`;
  const { certificate, error } = await certificateOf(url);
  const days = Math.floor((Date.parse(certificate.valid_to) - Date.now()) / dayMs);
  if (days < 0) return failed(check, `expired on ${certificate.valid_to}`, 'Renew the certificate.');
  if (error !== null)
    return failed(check, `is not trusted: ${error}`, 'Use a certificate of an authority that this machine trusts.');
  return rated(check, { value: -days, detail: `valid for ${days} days`, fix: 'Renew the certificate.' }, [-21, -3]);
}

/** Addresses of processes, by their variable: only those that are set. */
function processes(source: Source): [name: string, origin: string][] {
  const names = [...Object.keys(peerVariables), 'PUBLIC_URL'];
  return names.flatMap((name): [string, string][] => {
    const origin = source[name]?.trim() ?? '';
    return origin === '' ? [] : [[name.replace(/_URL$/, '').toLowerCase(), origin]];
  });
}

const httpsVariables = /_URL$|_ISSUER$|_ENDPOINT$/;

export function networkChecks(source: Source): Check[] {
  const { REDIS_URL } = readEnvironment(source, dataVariables);
  const secure = Object.entries(source).flatMap(([name, value = '']) =>
    httpsVariables.test(name) && name in allVariables && value.startsWith('https://') ? [new URL(value).origin] : [],
  );
  return [
    ...REDIS_URL.map((url) => ({ name: 'Redis', run: () => checkRedis(url) })),
    ...processes(source).map(([name, origin]) => ({ name: `process ${name}`, run: () => checkProcess(name, origin) })),
    ...[...new Set(secure)].map((origin) => ({
      name: `certificate of ${new URL(origin).host}`,
      run: async () => [await checkCertificate(origin)],
    })),
  ];
}
