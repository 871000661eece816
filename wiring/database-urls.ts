/** The database URLs of the roles, derived from the environment and the owner's URL. */
import { areaRole, relayRole, roleUrl, routerRole, sandboxRole } from '../platform/database/roles.ts';
import { readEnvironment } from '../platform/env.ts';
import type { Secrets } from '../platform/security/secrets.ts';
import { mapAreas, type Area } from '../schema/areas.ts';
import { dataVariables, type Source } from './environment.ts';

export interface DatabaseUrls {
  /** Per area, with the area's role. */
  readonly areas: Readonly<Record<Area, string>>;
  readonly router: string;
  /** The router's database without a pooler. */
  readonly routerListen: string;
  /** Per area, with the relay's role. */
  readonly relay: Readonly<Record<Area, string>>;
}

/** The separate database URL of an area, used unchanged; null if it is not set. */
const ownUrl = (source: Source, area: Area): string | null => {
  const read: Readonly<Record<string, unknown>> = readEnvironment(source, dataVariables);
  const given = read[`${area.toUpperCase()}_DATABASE_URL`];
  return typeof given === 'string' ? given : null;
};

/** The owner's database URL without a pooler. DATABASE_DIRECT_URL needs no login: it has that of the owner's URL. */
export function directOwnerUrl(source: Source, ownerUrl: string): string {
  const { DATABASE_DIRECT_URL } = readEnvironment(source, dataVariables);
  if (DATABASE_DIRECT_URL === null) return ownerUrl;
  const direct = new URL(DATABASE_DIRECT_URL);
  const { username, password } = new URL(ownerUrl);
  if (direct.username === '') Object.assign(direct, { username, password });
  return direct.href;
}

/** The URL of the separate database of an area, with the login of its owner, for migrations. Throws Error if it is not set. */
export function areaOwnerUrl(area: Area, source: Source): string {
  const found = ownUrl(source, area);
  if (found !== null) return found;
  const variable = `${area.toUpperCase()}_DATABASE_URL`;
  throw new Error(`${variable} is required: the URL of the database of ${area}, with the login of its owner.`);
}

/** Database URL of an area. That of a separate database without a login gets the role of the area. */
export function areaDatabaseUrl(area: Area, source: Source, ownerUrl: string, secrets: Secrets): string {
  const own = ownUrl(source, area);
  if (own !== null && new URL(own).username !== '') return own;
  return roleUrl(own ?? ownerUrl, areaRole(area), secrets);
}

/** Database URL of the router. */
export function routerDatabaseUrl(source: Source, ownerUrl: string, secrets: Secrets): string {
  return roleUrl(ownUrl(source, 'accounts') ?? ownerUrl, routerRole, secrets);
}

/** Database URL on which the router listens to key changes. */
export function routerListenUrl(source: Source, ownerUrl: string, secrets: Secrets): string {
  const { DATABASE_DIRECT_URL } = readEnvironment(source, dataVariables);
  return roleUrl(ownUrl(source, 'accounts') ?? DATABASE_DIRECT_URL ?? ownerUrl, routerRole, secrets);
}

/** Database URL with which test mode creates databases: without a pooler, which knows the platform's database only. */
export function sandboxOwnerUrl(source: Source, ownerUrl: string, secrets: Secrets): string {
  const { DATABASE_DIRECT_URL } = readEnvironment(source, dataVariables);
  return roleUrl(DATABASE_DIRECT_URL ?? ownerUrl, sandboxRole, secrets);
}

/** Database URLs of the relay, one per area. */
export function relayDatabaseUrls(source: Source, ownerUrl: string, secrets: Secrets): Readonly<Record<Area, string>> {
  const { DATABASE_DIRECT_URL } = readEnvironment(source, dataVariables);
  return mapAreas((area) => roleUrl(ownUrl(source, area) ?? DATABASE_DIRECT_URL ?? ownerUrl, relayRole, secrets));
}

/** The database URLs of all roles; requires the root secret. */
export function databaseUrls(source: Source, ownerUrl: string, secrets: Secrets): DatabaseUrls {
  return {
    areas: mapAreas((area) => areaDatabaseUrl(area, source, ownerUrl, secrets)),
    router: routerDatabaseUrl(source, ownerUrl, secrets),
    routerListen: routerListenUrl(source, ownerUrl, secrets),
    relay: relayDatabaseUrls(source, ownerUrl, secrets),
  };
}
