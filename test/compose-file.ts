/** Parses docker-compose.yml: its services and their environment. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

export interface Service {
  readonly image: string;
  readonly stop_grace_period?: string;
  readonly entrypoint?: readonly string[];
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly profiles?: readonly string[];
  readonly healthcheck: { readonly test?: readonly string[] };
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
}

export const composeText = readFileSync(join(import.meta.dirname, '..', 'docker-compose.yml'), 'utf8');
export const compose = parse(composeText, { merge: true }) as { readonly services: Readonly<Record<string, Service>> };

export function serviceOf(name: string): Service {
  const service = compose.services[name];
  if (!service) throw new Error(`docker-compose.yml has no service ${name}`);
  return service;
}

/**
 * The environment of a service's containers, with the variables of an .env file. Throws Error when a required variable
 * is missing.
 */
export function environmentOf(name: string, variables: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const filled = (value: string): string =>
    value.replace(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, variable: string, kind?: string, rest = '') => {
      const given = variables[variable] ?? '';
      if (given !== '' || kind !== '?') return given || rest;
      throw new Error(`${variable}: ${rest}`);
    });
  return Object.fromEntries(Object.entries(serviceOf(name).environment ?? {}).map(([key, value]) => [key, filled(value)]));
}
