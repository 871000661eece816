/** docker-compose.yml: its services and their environment. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { isRecord } from '../schema/records.ts';

export interface Service {
  readonly image: string;
  readonly user?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly tmpfs?: readonly string[];
  readonly volumes?: readonly string[];
  readonly deploy?: { readonly resources: { readonly limits: Readonly<Record<string, string | number>> } };
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

interface ComposeFile {
  readonly services: Readonly<Record<string, Service>>;
}

/** test/compose.test.ts checks the file against its schema. */
const isComposeFile = (value: unknown): value is ComposeFile => isRecord(value) && isRecord(value['services']);

function readComposeFile(): ComposeFile {
  const file: unknown = parse(composeText, { merge: true });
  if (!isComposeFile(file)) throw new Error('docker-compose.yml has no services.');
  return file;
}
export const compose = readComposeFile();

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
    value.replace(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_match: string, variable: string, kind?: string, rest?: string): string => {
      const given = variables[variable] ?? '';
      if (given !== '' || kind !== '?') return given || (rest ?? '');
      throw new Error(`${variable}: ${rest ?? ''}`);
    });
  return Object.fromEntries(Object.entries(serviceOf(name).environment ?? {}).map(([key, value]) => [key, filled(value)]));
}
