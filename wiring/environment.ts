/** The environment variables of all roles, and the settings derived from them. */
import { join } from 'node:path';
import { integer, list, oneOf, readEnvironment, text, url, urls } from '../platform/env.ts';
import { parseNetwork } from '../platform/http/networks.ts';
import { areas, mapAreas, type Area } from '../schema/areas.ts';
import { securityVariables } from './security-environment.ts';

const postgres = ['postgresql:', 'postgres:'];
const http = ['http:', 'https:'];

/** Default ports of the roles. */
export const ports: Readonly<Record<string, number>> = {
  all: 4000,
  rest: 4000,
  router: 4001,
  worker: 4002,
  sandbox: 4003,
  ...Object.fromEntries(areas.map((area, index) => [area, 4101 + index])),
};

const forEachArea = <Reader>(suffix: string, reader: (area: Area) => Reader): Record<string, Reader> =>
  Object.fromEntries(areas.map((area) => [`${area.toUpperCase()}_${suffix}`, reader(area)]));

/** Variables of all processes. */
export const processVariables = {
  LOG_LEVEL: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
    description: 'log level',
    default: 'info',
  }),
  HOST: text({ description: 'address to listen on; 0.0.0.0 for all', default: '127.0.0.1' }),
  PORT: integer({ description: 'port to listen on; the default depends on the role', min: 0, max: 65_535 }),
  DRAIN_SECONDS: integer({
    description:
      'how long a stopping process serves requests while /ready is 503; behind a balancer longer than it takes to notice',
    min: 0,
    max: 30,
    default: 0,
  }),
};

/** Variables of databases and secrets. */
export const dataVariables = {
  DATA_DIRECTORY: text({
    description: 'folder of the embedded database, its secrets and uploaded images',
    default: join(import.meta.dirname, '..', '.data'),
  }),
  DATABASE_URL: url({
    description: 'PostgreSQL 18, connecting as the owner; without it the platform starts an embedded one',
    protocols: postgres,
    secret: true,
  }),
  DATABASE_DIRECT_URL: url({
    description: 'the same without a connection pooler, for LISTEN in the relay and routers, migrations and commands',
    protocols: postgres,
    secret: true,
  }),
  DATABASE_POOL_SIZE: integer({
    description: 'connections for the reads and writes of each area in this process',
    min: 1,
    max: 1_000,
    default: 10,
  }),
  REDIS_URL: urls({
    description: 'Redis for the quota counters, which are otherwise in PostgreSQL; several addresses form one cluster',
    protocols: ['redis:', 'rediss:'],
    secret: true,
  }),
  SECRET: text({ description: 'root secret from which all keys are derived', minLength: 32, secret: true }),
  KEYS: text({ description: 'keys of one role, instead of SECRET; npm run secrets creates them', secret: true }),
  ...forEachArea('DATABASE_URL', (area) =>
    url({
      description: `database of ${area} with its role, if it differs from DATABASE_URL`,
      protocols: postgres,
      secret: true,
    }),
  ),
};

/** Variables of the public servers. */
export const publicServerVariables = {
  TRUST_PROXY: list(
    { description: 'proxies whose X-Forwarded-For and Forwarded headers are trusted', default: [] },
    'addresses and networks',
    parseNetwork,
  ),
  PUBLIC_URL: url({ description: 'scheme and host for links; without it links are relative', protocols: http }),
  BASE_DOMAIN: text({ description: 'domain whose subdomains serve the areas and the sports, such as example.com' }),
  LOAD_SHEDDING: oneOf(['true', 'false'], {
    description: 'whether an overloaded process queues requests fairly and rejects the rest with 503',
    default: 'true',
  }),
  RESPONSE_CACHE_MIB: integer({
    description: 'memory of a REST process for responses that are sent again until their data changes; 0: none',
    min: 0,
    max: 65_536,
    default: 64,
  }),
  ...securityVariables,
};

/** Variables of the store of uploaded images. */
export const imageVariables = {
  IMAGE_DIRECTORY: text({ description: 'folder of uploaded images; default: images in DATA_DIRECTORY' }),
  IMAGE_BUCKET_URL: url({
    description: 'bucket with the S3 API for uploaded images, such as https://s3.eu-central-1.amazonaws.com/images',
    protocols: http,
  }),
  IMAGE_BUCKET_REGION: text({ description: 'region of the bucket', default: 'us-east-1' }),
  IMAGE_BUCKET_KEY_ID: text({ description: 'access key ID of the bucket' }),
  IMAGE_BUCKET_SECRET: text({ description: 'secret access key of the bucket', secret: true }),
};

/** Variables of the processes that validate or call the URLs of webhooks. */
export const webhookVariables = {
  WEBHOOKS_ALLOW_LOCAL: oneOf(['true', 'false'], {
    description: 'in development: webhook URLs may use http, any port, this machine and private networks',
    default: 'false',
  }),
};

/** Variables of routers. */
export const routerVariables = {
  SCHEMA_DIRECTORY: text({ description: 'folder of the generated schemas, read again on SIGHUP; default: this version' }),
  INTERNAL_HOST: text({ description: 'address of INTERNAL_PORT: a private network', default: '127.0.0.1' }),
  INTERNAL_PORT: integer({
    description: 'port for calls of other processes; must not be reachable from outside',
    min: 0,
    max: 65_535,
    default: 4100,
  }),
};

/** Folder of the generated schemas; undefined for those of this version. */
export const schemaFolderOf = (source: Source): string | undefined =>
  readEnvironment(source, routerVariables).SCHEMA_DIRECTORY ?? undefined;

/** Demo data on the first start of an embedded database. */
export const seedVariables = {
  SEED: integer({
    description: 'demo athletes on the first start of an embedded database',
    min: 0,
    zero: 'none',
    default: 2000,
  }),
};

/** Addresses of the processes. */
export const peerVariables = {
  ROUTER_URL: urls({
    description: 'internal addresses of the routers',
    protocols: http,
    default: [`http://127.0.0.1:${routerVariables.INTERNAL_PORT.absent}`],
  }),
  SANDBOX_URL: urls({ description: 'addresses of the sandbox processes; without it there is no test mode', protocols: http }),
  ...forEachArea('URL', (area) =>
    urls({ description: `addresses of ${area}`, protocols: http, default: [`http://127.0.0.1:${ports[area] ?? 0}`] }),
  ),
};

export type Source = Readonly<Record<string, string | undefined>>;

/** Addresses of the instances of each area. */
export function areaAddresses(source: Source): Record<Area, readonly string[]> {
  const read: Readonly<Record<string, readonly string[]>> = readEnvironment(source, peerVariables);
  return mapAreas((area) => read[`${area.toUpperCase()}_URL`] ?? []);
}
