/** docker-compose.yml, the Dockerfile and .env.example match the roles, areas and environment variables of the code. */
import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { readEnvironment } from '../platform/env.ts';
import { areas } from '../schema/areas.ts';
import {
  areaAddresses,
  dataVariables,
  publicServerVariables,
  imageVariables,
  webhookVariables,
  peerVariables,
  ports,
  processVariables,
  routerVariables,
  seedVariables,
} from '../wiring/environment.ts';
import { billingVariables } from '../wiring/billing-environment.ts';
import { stripeVariables } from '../wiring/stripe-environment.ts';
import { observabilityVariables } from '../wiring/observability-environment.ts';
import { oidcVariables } from '../wiring/oidc-environment.ts';
import { portalVariables } from '../wiring/portal-environment.ts';
import { keysVariable } from '../wiring/keys.ts';
import { roles } from '../wiring/processes.ts';
import { compose, composeText, environmentOf, serviceOf } from '../commands/compose-file.ts';
import { composeSchema } from './compose-schema.ts';

const read = (path: string): string => readFileSync(join(import.meta.dirname, '..', path), 'utf8');
const { services } = compose;
const variables = {
  ...processVariables,
  ...dataVariables,
  ...publicServerVariables,
  ...imageVariables,
  ...webhookVariables,
  ...oidcVariables,
  ...portalVariables,
  ...billingVariables,
  ...stripeVariables,
  ...peerVariables,
  ...routerVariables,
  ...observabilityVariables,
  ...seedVariables,
};
const processes = roles.filter((role) => role !== 'all');
const of = serviceOf;
const required = [...composeText.matchAll(/\$\{(\w+):\?/g)].flatMap(([, variable]) => variable ?? []);

/** Every variable in the file, except `process` in its scripts. */
const requiredVariables = [...new Set([...composeText.matchAll(/\$\{(\w+)/g)].flatMap(([, variable]) => variable ?? []))].filter(
  (variable) => variable !== 'process',
);

/** The environment of the containers, with a placeholder for external variables. */
const given = (name: string): Record<string, string> =>
  environmentOf(name, Object.fromEntries(required.map((variable) => [variable, `${variable.toLowerCase()}-`.padEnd(32, 'x')])));

test('the file is a valid Compose file', () => {
  const validate = new Ajv2020({ allErrors: true, strict: false }).compile(composeSchema);
  validate(compose);
  expect(validate.errors).toBeNull();
});

test('there is one service per role, plus their dependencies', () => {
  expect(Object.keys(services).sort()).toEqual([...processes, 'migrate', 'postgres', 'redis'].sort());
  expect(processes).toEqual(expect.arrayContaining(['rest', 'router', 'worker', 'sandbox', ...areas]));
});

test('PostgreSQL and Redis have the supported versions, and Redis starts with its profile only', () => {
  expect(of('postgres').image).toBe('postgres:18');
  expect(of('redis').image).toBe('redis:7');
  expect(of('redis').profiles).toEqual(['redis']);
  // services that count usage or report counts
  expect(processes.filter((name) => 'REDIS_URL' in given(name)).sort()).toEqual(['accounts', 'router']);
});

test.each(Object.keys(services))('the container %s has no capabilities, cannot write to its files, and has limits', (name) => {
  const { image } = of(name);
  expect(of(name)).toMatchObject({
    read_only: true,
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
    user: image === 'talent-platform' ? 'node' : name,
    deploy: { resources: { limits: expect.anything() } },
  });
  expect(of(name).tmpfs).toEqual(expect.arrayContaining([expect.stringMatching(/^\/tmp/)]));
});

test('Redis requires the password of .env, and its health check uses it', () => {
  const password = '${REDIS_PASSWORD:?run npm run secrets}';
  expect(of('redis').command?.slice(0, 3)).toEqual(['redis-server', '--requirepass', password]);
  expect(of('redis').environment?.['REDISCLI_AUTH']).toBe(password);
});

test('only the two public APIs have published ports', () => {
  const published = Object.entries(services).filter(([, service]) => service.ports);
  expect(Object.fromEntries(published.map(([name, { ports: publishedPorts }]) => [name, publishedPorts]))).toEqual({
    rest: ['4000:4000'],
    router: ['4001:4001'],
  });
});

test('every service that others depend on has a health check', () => {
  for (const { depends_on: dependencies = {} } of Object.values(services))
    for (const [name, { condition }] of Object.entries(dependencies)) {
      expect(condition).toBe(name === 'migrate' ? 'service_completed_successfully' : 'service_healthy');
      if (name !== 'migrate') expect(of(name).healthcheck.test).toBeDefined();
    }
});

test("the migrations run first and once, and only they receive the root secret and the owner's password", () => {
  const [program, file] = of('migrate').entrypoint ?? [];
  expect([program, file]).toEqual(['node', 'commands/migrate.ts']);
  expect(existsSync(join(import.meta.dirname, '..', file ?? ''))).toBe(true);
  const knowing = (variable: string): string[] =>
    Object.keys(services).filter((name) => JSON.stringify(of(name).environment ?? {}).includes(`{${variable}:`));
  expect(knowing('DATABASE_PASSWORD').sort()).toEqual(['migrate', 'postgres']);
  expect(knowing('SECRET')).toEqual(['migrate']);
});

describe.each(processes)('the service %s', (name) => {
  test('runs its role on its port, with a health check', () => {
    expect(of(name)).toMatchObject({ image: 'talent-platform', command: [name] });
    expect(given(name).PORT).toBe(String(ports[name]));
    expect(given(name).HOST).toBe('0.0.0.0');
    expect(given(name).INTERNAL_HOST).toBe(name === 'router' ? '0.0.0.0' : undefined);
    // longer than the process takes to stop (platform/stop-gracefully.ts)
    expect(of(name).stop_grace_period).toBe('60s');
    const [, , flag, script = ''] = of(name).healthcheck.test ?? [];
    expect(flag).toBe('--eval');
    expect(() => new Script(script.replaceAll('$$', '$'))).not.toThrow();
    expect(script).toContain('/health');
  });

  test('receives only variables that the platform reads, with valid values', () => {
    const environment = given(name);
    expect(Object.keys(environment).filter((key) => !(key in variables))).toEqual([]);
    expect(() => readEnvironment(environment, variables)).not.toThrow();
    expect(environment).not.toHaveProperty('SECRET');
    expect(of(name).environment?.KEYS).toBe(`\${${keysVariable(name)}:?run npm run secrets}`);
  });

  test('has the correct addresses of other services', () => {
    const { ROUTER_URL, SANDBOX_URL } = given(name);
    if (ROUTER_URL) expect(ROUTER_URL).toBe(`http://router:${given('router').INTERNAL_PORT}`);
    expect(SANDBOX_URL).toBe(['accounts', 'router'].includes(name) ? `http://sandbox:${ports['sandbox']}` : undefined);
    if (name === 'router') {
      expect(given(name).INTERNAL_PORT).toBe(String(routerVariables.INTERNAL_PORT.absent));
      expect(areaAddresses(given(name))).toEqual(
        Object.fromEntries(areas.map((area) => [area, [`http://${area}:${ports[area]}`]])),
      );
    } else expect(ROUTER_URL).toBeTruthy();
  });
});

test('.env.example contains every variable of the platform and of docker-compose.yml with a comment, and no other', () => {
  const lines = read('.env.example').split('\n');
  const named = lines.flatMap((line) => /^([A-Z_]+)=/.exec(line)?.slice(1) ?? []);
  expect(named.sort()).toEqual([...new Set([...Object.keys(variables), ...requiredVariables])].sort());
  for (const block of read('.env.example').trim().split('\n\n')) expect(block).toMatch(/^# /);
});

test('the image contains all imported files, does not run as root, and accepts a role as its argument', () => {
  const dockerfile = read('Dockerfile');
  for (const module of ['main.ts', 'schema', 'platform', 'subgraphs', 'router', 'rest-bridge', 'wiring', 'commands'])
    expect(dockerfile).toMatch(new RegExp(`^COPY ${module} `, 'm'));
  // the built dashboard without its source
  expect(dockerfile).toMatch(/^FROM \$\{NODE_IMAGE\} AS dashboard$[\s\S]*^RUN npm run dashboard$/m);
  expect(dockerfile).toMatch(/^COPY --from=dashboard \/app\/dashboard\/dist dashboard\/dist$/m);
  // the guides that the REST API serves, without the screenshots
  expect(dockerfile).toMatch(/^COPY docs docs$/m);
  expect(read('.dockerignore')).toMatch(/^docs\/dashboard$/m);
  expect(read('.dockerignore')).not.toMatch(/^docs\/?\*?$/m);
  expect(dockerfile).toMatch(/^ARG NODE_IMAGE=node:26-slim$/m);
  expect(dockerfile.match(/^FROM .*$/gm)).toEqual(
    ['dashboard', 'packages', null].map((stage) => `FROM \${NODE_IMAGE}${stage ? ` AS ${stage}` : ''}`),
  );
  expect(dockerfile).toMatch(/^ENV HOST=0\.0\.0\.0 INTERNAL_HOST=0\.0\.0\.0$/m);
  // the user node of the base image
  expect(dockerfile).toMatch(/^USER 1000:1000$/m);
  expect(dockerfile).toMatch(/^HEALTHCHECK [\s\S]*\/health/m);
  expect(dockerfile).toMatch(/^ENTRYPOINT \["node", "main\.ts"\]$/m);
});
