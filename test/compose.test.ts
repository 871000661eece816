/** docker-compose.yml, the Dockerfile and .env.example agree with the roles, the areas and the environment of the code. */
import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { parse } from 'yaml';
import { readEnvironment } from '../platform/env.ts';
import { areas } from '../schema/areas.ts';
import {
  areaAddresses,
  dataVariables,
  doorVariables,
  peerVariables,
  ports,
  processVariables,
  seedVariables,
} from '../wiring/environment.ts';
import { roles } from '../wiring/processes.ts';
import { composeSchema } from './compose-schema.ts';

interface Service {
  readonly image: string;
  readonly entrypoint?: readonly string[];
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly profiles?: readonly string[];
  readonly healthcheck: { readonly test?: readonly string[] };
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
}

const read = (path: string): string => readFileSync(join(import.meta.dirname, '..', path), 'utf8');
const compose = parse(read('docker-compose.yml'), { merge: true }) as { readonly services: Readonly<Record<string, Service>> };
const { services } = compose;
const variables = { ...processVariables, ...dataVariables, ...doorVariables, ...peerVariables, ...seedVariables };
const processes = Object.keys(roles).filter((role) => role !== 'all');
const of = (name: string): Service => {
  const service = services[name];
  if (!service) throw new Error(`docker-compose.yml has no service ${name}`);
  return service;
};

/** What the containers are given: a variable from outside as its default, `$$` as one dollar. */
const given = (name: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(of(name).environment ?? {}).map(([key, value]) => [
      key,
      value.replace(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, variable: string, kind: string, rest: string) =>
        kind === '-' ? rest : `${variable.toLowerCase()}-`.padEnd(32, 'x'),
      ),
    ]),
  );

test('the file holds nothing that Compose does not know', () => {
  const validate = new Ajv2020({ allErrors: true, strict: false }).compile(composeSchema);
  validate(compose);
  expect(validate.errors).toBeNull();
});

test('there is one service per role, and what they stand on', () => {
  expect(Object.keys(services).sort()).toEqual([...processes, 'migrate', 'postgres', 'redis'].sort());
  expect(processes).toEqual(expect.arrayContaining(['rest', 'router', 'worker', ...areas]));
});

test('the database and Redis are the versions that the platform is made for, and Redis starts only when asked for', () => {
  expect(of('postgres').image).toBe('postgres:18');
  expect(of('redis').image).toBe('redis:7');
  expect(of('redis').profiles).toEqual(['redis']);
});

test('only the two doors are published', () => {
  const published = Object.entries(services).filter(([, service]) => service.ports);
  expect(Object.fromEntries(published.map(([name, { ports: shown }]) => [name, shown]))).toEqual({
    rest: ['4000:4000'],
    router: ['4001:4001'],
  });
});

test('every service that others wait for says when it is there', () => {
  for (const { depends_on: dependencies = {} } of Object.values(services))
    for (const [name, { condition }] of Object.entries(dependencies)) {
      expect(condition).toBe(name === 'migrate' ? 'service_completed_successfully' : 'service_healthy');
      if (name !== 'migrate') expect(of(name).healthcheck.test).toBeDefined();
    }
});

test('the migrations run first and once, and they alone know the password of the owner', () => {
  const [program, file] = of('migrate').entrypoint ?? [];
  expect([program, file]).toEqual(['node', 'commands/migrate.ts']);
  expect(existsSync(join(import.meta.dirname, '..', file ?? ''))).toBe(true);
  const knowing = Object.keys(services).filter((name) =>
    JSON.stringify(of(name).environment ?? {}).includes('DATABASE_PASSWORD'),
  );
  expect(knowing.sort()).toEqual(['migrate', 'postgres']);
});

describe.each(processes)('the service %s', (name) => {
  test('runs its role on its port, and is asked for its health', () => {
    expect(of(name)).toMatchObject({ image: 'talent-platform', command: [name] });
    expect(given(name).PORT).toBe(String(ports[name]));
    const [, , flag, script = ''] = of(name).healthcheck.test ?? [];
    expect(flag).toBe('--eval');
    expect(() => new Script(script.replaceAll('$$', '$'))).not.toThrow();
    expect(script).toContain('/health');
  });

  test('is told only what the platform reads, in its form', () => {
    const environment = given(name);
    expect(Object.keys(environment).filter((key) => !(key in variables))).toEqual([]);
    expect(() => readEnvironment(environment, variables)).not.toThrow();
    expect(environment.SECRET).toBeTruthy();
  });

  test('finds the others where they listen', () => {
    const { ROUTER_URL } = given(name);
    if (ROUTER_URL) expect(ROUTER_URL).toBe(`http://router:${ports.router}`);
    if (name === 'router')
      expect(areaAddresses(given(name))).toEqual(
        Object.fromEntries(areas.map((area) => [area, `http://${area}:${ports[area]}`])),
      );
    else expect(ROUTER_URL).toBeTruthy();
  });
});

test('.env.example names every variable of the platform and of docker-compose.yml, each with a comment, and no other', () => {
  const lines = read('.env.example').split('\n');
  const named = lines.flatMap((line) => /^([A-Z_]+)=/.exec(line)?.slice(1) ?? []);
  const asked = [...read('docker-compose.yml').matchAll(/\$\{(\w+)/g)]
    .flatMap(([, variable]) => variable ?? [])
    .filter((variable) => variable !== 'process');
  expect(named.sort()).toEqual([...new Set([...Object.keys(variables), ...asked])].sort());
  for (const block of read('.env.example').trim().split('\n\n')) expect(block).toMatch(/^# /);
});

test('the image holds what a process imports, runs as no root, and lets a role be its argument', () => {
  const dockerfile = read('Dockerfile');
  for (const room of ['main.ts', 'schema', 'platform', 'subgraphs', 'router', 'rest-bridge', 'wiring', 'commands'])
    expect(dockerfile).toMatch(new RegExp(`^COPY ${room} `, 'm'));
  expect(dockerfile).toMatch(/^FROM node:26-slim$/m);
  expect(dockerfile).toMatch(/^USER node$/m);
  expect(dockerfile).toMatch(/^HEALTHCHECK [\s\S]*\/health/m);
  expect(dockerfile).toMatch(/^ENTRYPOINT \["node", "main\.ts"\]$/m);
});
