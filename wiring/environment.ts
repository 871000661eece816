/** What a process is told by its environment: one table of variables, of which each role reads its own. */
import { join } from 'node:path';
import { integer, list, oneOf, readEnvironment, text, url, urls } from '../platform/env.ts';
import { parseNetwork } from '../platform/http/networks.ts';
import { areaRole, relayRole, roleUrl, routerRole } from '../platform/database/roles.ts';
import type { Secrets } from '../platform/security/secrets.ts';
import type { OidcSettings } from '../router/administration/oidc.ts';
import { areas, type Area } from '../schema/areas.ts';
import { roleNames } from '../schema/roles.ts';

const postgres = ['postgresql:', 'postgres:'];
const http = ['http:', 'https:'];

/** Ports on which the roles listen when PORT is not set. */
export const ports: Readonly<Record<string, number>> = {
  all: 4000,
  rest: 4000,
  router: 4001,
  worker: 4002,
  ...Object.fromEntries(areas.map((area, index) => [area, 4101 + index])),
};

const forEachArea = <Reader>(suffix: string, reader: (area: Area) => Reader): Record<string, Reader> =>
  Object.fromEntries(areas.map((area) => [`${area.toUpperCase()}_${suffix}`, reader(area)]));

/** What every process reads. */
export const processVariables = {
  LOG_LEVEL: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
    description: 'how much is logged',
    default: 'info',
  }),
  HOST: text({ description: 'address to listen on', default: '0.0.0.0' }),
  PORT: integer({ description: 'port to listen on; each role has its own default', min: 0, max: 65_535 }),
};

/** Where the data is. */
export const dataVariables = {
  DATA_DIRECTORY: text({
    description: 'folder of the embedded database and its secrets',
    default: join(import.meta.dirname, '..', '.data'),
  }),
  DATABASE_URL: url({
    description: 'PostgreSQL 18 as the owner; the platform starts its own when absent',
    protocols: postgres,
    secret: true,
  }),
  DATABASE_DIRECT_URL: url({
    description: 'the same past a pooler, for who listens: relay and routers',
    protocols: postgres,
    secret: true,
  }),
  REDIS_URL: urls({
    description: 'Redis for the quota counters, which are in PostgreSQL without it; several addresses are one cluster',
    protocols: ['redis:', 'rediss:'],
    secret: true,
  }),
  SECRET: text({ description: 'root secret: every key is made from it', minLength: 32, secret: true }),
  KEYS: text({ description: 'the keys of one role, instead of SECRET: npm run secrets writes them', secret: true }),
  ...forEachArea('DATABASE_URL', (area) =>
    url({
      description: `database of ${area} with its own role, where it is not DATABASE_URL`,
      protocols: postgres,
      secret: true,
    }),
  ),
};

/** What a public door reads. */
export const publicServerVariables = {
  TRUST_PROXY: list(
    { description: 'proxies whose X-Forwarded-For and Forwarded are believed', default: [] },
    'addresses and networks',
    parseNetwork,
  ),
  PUBLIC_URL: url({ description: 'scheme and host in links, which are relative without it', protocols: http }),
};

/** The OpenID provider by which administrators sign in, beside passwords: what serves the dashboard reads it. */
export const oidcVariables = {
  OIDC_ISSUER: url({ description: 'OpenID provider by which administrators sign in', protocols: http }),
  OIDC_CLIENT_ID: text({ description: 'what it knows this platform as' }),
  OIDC_CLIENT_SECRET: text({ description: 'the secret that goes with it, unless it is a public client', secret: true }),
  OIDC_NAME: text({ description: 'what the button says', default: 'Single sign-on' }),
  OIDC_ROLE: oneOf(roleNames, { description: 'role of whom nobody invited; without it only who is invited may enter' }),
};

/** The provider of the environment; null when it names none. Throws Error when it names half of one. */
export function oidcSettings(source: Source): OidcSettings | null {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_NAME, OIDC_ROLE } = readEnvironment(source, oidcVariables);
  if (OIDC_ISSUER === null) return null;
  if (OIDC_CLIENT_ID === null) throw new Error('OIDC_CLIENT_ID is required with OIDC_ISSUER: the provider gives it.');
  return {
    issuer: OIDC_ISSUER,
    clientId: OIDC_CLIENT_ID,
    clientSecret: OIDC_CLIENT_SECRET,
    name: OIDC_NAME,
    newcomerRole: OIDC_ROLE,
  };
}

/** What a router reads beside that. */
export const routerVariables = {
  INTERNAL_PORT: integer({
    description: 'port on which a router listens to the other processes: never for the outside',
    min: 0,
    max: 65_535,
    default: 4100,
  }),
};

/** Demo data on the first start of an embedded database. */
export const seedVariables = {
  SEED: integer({
    description: 'demo athletes on the first start of an embedded database',
    min: 0,
    zero: 'none',
    default: 2000,
  }),
};

/** How processes find one another. */
export const peerVariables = {
  ROUTER_URL: url({
    description: 'where the router listens to other processes',
    protocols: http,
    default: `http://127.0.0.1:${routerVariables.INTERNAL_PORT.absent}`,
  }),
  ...forEachArea('URL', (area) =>
    url({ description: `where ${area} listens`, protocols: http, default: `http://127.0.0.1:${ports[area] ?? 0}` }),
  ),
};

/** All that any role reads. */
export const allVariables = {
  ...processVariables,
  ...dataVariables,
  ...publicServerVariables,
  ...oidcVariables,
  ...routerVariables,
  ...peerVariables,
  ...seedVariables,
};

export type Source = Readonly<Record<string, string | undefined>>;

const each = (urlOf: (area: Area) => string): Record<Area, string> =>
  Object.fromEntries(areas.map((area) => [area, urlOf(area)])) as Record<Area, string>;

/** Addresses of the areas' processes. */
export function areaAddresses(source: Source): Record<Area, string> {
  const read: Readonly<Record<string, unknown>> = readEnvironment(source, peerVariables);
  return each((area) => String(read[`${area.toUpperCase()}_URL`]));
}

export interface DatabaseUrls {
  /** Each area's own role. */
  readonly areas: Readonly<Record<Area, string>>;
  readonly router: string;
  /** The router's, not through a pooler. */
  readonly routerListen: string;
  /** Each area's database for the relay's role. */
  readonly relay: Readonly<Record<Area, string>>;
}

/** An area's own URL, which is used as it is. */
const ownUrl = (source: Source, area: Area): string | null => {
  const read: Readonly<Record<string, unknown>> = readEnvironment(source, dataVariables);
  const given = read[`${area.toUpperCase()}_DATABASE_URL`];
  return typeof given === 'string' ? given : null;
};

/** Where an area logs in. */
export function areaDatabaseUrl(area: Area, source: Source, ownerUrl: string, secrets: Secrets): string {
  return ownUrl(source, area) ?? roleUrl(ownerUrl, areaRole(area), secrets);
}

/** Where the router logs in. */
export function routerDatabaseUrl(source: Source, ownerUrl: string, secrets: Secrets): string {
  return roleUrl(ownUrl(source, 'accounts') ?? ownerUrl, routerRole, secrets);
}

/** Where the router listens to changes of keys. */
export function routerListenUrl(source: Source, ownerUrl: string, secrets: Secrets): string {
  const { DATABASE_DIRECT_URL } = readEnvironment(source, dataVariables);
  return roleUrl(ownUrl(source, 'accounts') ?? DATABASE_DIRECT_URL ?? ownerUrl, routerRole, secrets);
}

/** Where the relay logs in, for each area. */
export function relayDatabaseUrls(source: Source, ownerUrl: string, secrets: Secrets): Readonly<Record<Area, string>> {
  const { DATABASE_DIRECT_URL } = readEnvironment(source, dataVariables);
  return each((area) => roleUrl(ownUrl(source, area) ?? DATABASE_DIRECT_URL ?? ownerUrl, relayRole, secrets));
}

/** Which role logs in where; who asks for all of them needs the root secret. */
export function databaseUrls(source: Source, ownerUrl: string, secrets: Secrets): DatabaseUrls {
  return {
    areas: each((area) => areaDatabaseUrl(area, source, ownerUrl, secrets)),
    router: routerDatabaseUrl(source, ownerUrl, secrets),
    routerListen: routerListenUrl(source, ownerUrl, secrets),
    relay: relayDatabaseUrls(source, ownerUrl, secrets),
  };
}
