/** deploy/kubernetes: written from docker-compose.yml, valid for the types of the Kubernetes API, hardened, and complete. */
import { describe, expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { serviceOf } from '../commands/compose-file.ts';
import { kubernetesFiles } from '../commands/kubernetes.ts';
import { isRecord } from '../schema/records.ts';
import { keyedRoles } from '../wiring/keys.ts';
import { compile } from './typed-program.ts';

const folder = join(import.meta.dirname, '..', 'deploy', 'kubernetes');
const read = (path: string): string => readFileSync(join(folder, path), 'utf8');
const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.yaml'));
const isKustomization = (path: string): boolean => path.endsWith('kustomization.yaml');

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: Readonly<Record<string, unknown>>;
}
const manifestsOf = (path: string): Manifest[] => parseAllDocuments(read(path)).map((document): Manifest => document.toJS());
const manifests = paths.filter((path) => !isKustomization(path)).flatMap(manifestsOf);
const named = (kind: string, name: string): Manifest | undefined =>
  manifests.find((manifest) => manifest.kind === kind && manifest.metadata.name === name);

test('the manifests are those that `npm run kubernetes` writes', () => {
  const written = kubernetesFiles();
  expect([...written.keys()].filter((path) => read(join('base', path)) !== written.get(path))).toEqual([]);
  const roles = paths.filter((path) => path.startsWith(join('base', 'roles')));
  expect(roles.sort()).toEqual(keyedRoles.map((role) => join('base', 'roles', `${role}.yaml`)).sort());
});

test('every manifest has the type of the Kubernetes API, without unknown members', () => {
  const objects = manifests.map(
    ({ apiVersion, kind, ...rest }, index) =>
      `export const object${index}: import('kubernetes-types/${apiVersion.includes('/') ? apiVersion.replace('.k8s.io', '') : `core/${apiVersion}`}.d.ts').${kind} = ` +
      `${JSON.stringify({ apiVersion, kind, ...rest }, null, 1)};`,
  );
  expect(manifests.length).toBeGreaterThan(40);
  expect(compile({ 'manifests.ts': objects.join('\n') })).toEqual([]);
  // the check finds an unknown member and a wrong type
  const wrong = `export const wrong: import('kubernetes-types/core/v1.d.ts').Service = { apiVersion: 'v1', kind: 'Service', spec: { port: '1' } };`;
  expect(compile({ 'manifests.ts': wrong })).toHaveLength(1);
});

test('the kustomizations name existing files, and all of the base but the migrations', () => {
  for (const path of paths.filter(isKustomization)) {
    const { resources }: { readonly resources: readonly string[] } = parse(read(path));
    for (const resource of resources.filter((name) => name.endsWith('.yaml')))
      expect(paths).toContain(join(path, '..', resource));
    const here = paths.filter((other) => other.startsWith(join(path, '..', '/')) && !isKustomization(other));
    const applied = resources.filter((name) => name.endsWith('.yaml')).map((name) => join(path, '..', name));
    expect(here.filter((other) => !applied.includes(other))).toEqual(path.startsWith('base') ? ['base/migrate.yaml'] : []);
  }
});

/** The pod of a Deployment or Job. */
function podOf(manifest: Manifest | undefined) {
  const { template } = manifest?.spec ?? {};
  const pod = isRecord(template) && isRecord(template['spec']) ? template['spec'] : {};
  const [container] = Array.isArray(pod['containers']) ? pod['containers'].filter(isRecord) : [];
  return { pod, container: container ?? {} };
}

describe.each([...keyedRoles.map((role) => ['Deployment', role] as const), ['Job', 'migrate'] as const])(
  'the %s %s',
  (kind, name) => {
    const { pod, container } = podOf(named(kind, name));

    test('has no rights and cannot write to its files', () => {
      expect(pod).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
      });
      expect(container['securityContext']).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(container['resources']).toMatchObject({
        requests: { cpu: expect.any(String) },
        limits: { memory: expect.any(String) },
      });
    });

    test('has the secrets of its service in docker-compose.yml, and no others', () => {
      const text = JSON.stringify(container['env']);
      const secrets = [...text.matchAll(/"key":"(\w+)"/g)].map(([, key]) => key);
      const service = JSON.stringify(serviceOf(name).environment);
      for (const key of secrets) if (key !== 'DATABASE_URL') expect(service).toContain(`{${key ?? ''}:`);
      expect(secrets.includes('SECRET')).toBe(name === 'migrate');
    });

    if (kind === 'Deployment')
      test('is alive and ready by its probes, stops within its grace, and is reached by the ports of its variables', () => {
        const grace = Number(/^(\d+)s$/.exec(serviceOf(name).stop_grace_period ?? '')?.[1]);
        expect(pod['terminationGracePeriodSeconds']).toBeGreaterThanOrEqual(grace + 5);
        expect(container).toMatchObject({
          args: [name],
          livenessProbe: { httpGet: { path: '/health' } },
          readinessProbe: { httpGet: { path: '/ready' } },
          lifecycle: { preStop: { sleep: { seconds: 5 } } },
        });
        const addresses = JSON.stringify(container['env']).matchAll(/"http:\/\/([\w-]+):(\d+)"/g);
        for (const [, host = '', port] of addresses)
          expect(named('Service', host)?.spec).toMatchObject({ clusterIP: 'None', ports: [{ port: Number(port) }] });
      });
  },
);

test('network policies allow the calls of the platform, and areas accept those of routers only', () => {
  const policy = (name: string): unknown => named('NetworkPolicy', `talent-platform-${name}`)?.spec;
  expect(policy('default')).toMatchObject({ policyTypes: ['Ingress', 'Egress'] });
  const callers = (name: string): string[] => {
    const text = JSON.stringify(policy(name)).split('"from":')[1] ?? '';
    return keyedRoles.filter((role) => text.includes(`"${role}"`));
  };
  const using = (variable: string): string[] => keyedRoles.filter((role) => variable in (serviceOf(role).environment ?? {}));
  expect(callers('router-internal')).toEqual(using('ROUTER_URL'));
  expect(callers('sandbox')).toEqual(using('SANDBOX_URL'));
  expect(callers('areas')).toEqual(using('ATHLETES_URL'));
});

const podOfPlatform = { 'app.kubernetes.io/name': 'talent-platform' };

test('a monitoring namespace reaches the metrics of every role, and the PodMonitor names their ports', () => {
  const metricsOf = (role: string): readonly [string, string] => {
    const { METRICS_PORT, INTERNAL_PORT, PORT = '' } = serviceOf(role).environment ?? {};
    if (METRICS_PORT !== undefined) return ['metrics', METRICS_PORT];
    return INTERNAL_PORT === undefined ? ['http', PORT] : ['internal', INTERNAL_PORT];
  };
  const ports = keyedRoles.map((role) => ({ port: Number(metricsOf(role)[1]) }));
  expect(named('NetworkPolicy', 'talent-platform-metrics')?.spec).toEqual({
    podSelector: { matchLabels: podOfPlatform },
    policyTypes: ['Ingress'],
    ingress: [
      {
        from: [{ namespaceSelector: { matchLabels: { 'talent-platform/monitoring': 'true' } } }],
        ports: ports.toSorted((a, b) => a.port - b.port),
      },
    ],
  });
  const { spec } = parse(readFileSync(join(folder, '..', 'observability', 'pod-monitor.yaml'), 'utf8'));
  // the rules select the job talent-platform
  expect(spec).toMatchObject({ jobLabel: 'app.kubernetes.io/name', selector: { matchLabels: podOfPlatform } });
  const endpoints: readonly { port: string; relabelings?: readonly { regex: string }[] }[] = spec.podMetricsEndpoints;
  expect(endpoints.map(({ port }) => port).sort()).toEqual([...new Set(keyedRoles.map((role) => metricsOf(role)[0]))].sort());
  // their port `http` is public and has no metrics
  const elsewhere = keyedRoles.filter((role) => metricsOf(role)[0] !== 'http');
  expect(
    endpoints
      .find(({ port }) => port === 'http')
      ?.relabelings?.[0]?.regex.split('|')
      .sort(),
  ).toEqual(elsewhere.toSorted());
});
