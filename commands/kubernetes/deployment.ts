/** The Deployment of a role, and the Job of the migrations: hardened containers with probes and limits. */
import { serviceOf } from '../compose-file.ts';
import { metadataOf, selectorOf } from './labels.ts';
import type { Scale } from './scales.ts';
import { configName, ownerVariables, variablesOf } from './variables.ts';

/** The user node of the image. */
const userId = 1000;
/** Endpoints and load balancers remove a pod within this time, before it receives SIGTERM. */
const preStopSeconds = 5;

const image = 'talent-platform';

const containerSecurity = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
};

const podSettings = {
  automountServiceAccountToken: false,
  // variables such as ROUTER_PORT would be added for every Service
  enableServiceLinks: false,
  securityContext: {
    runAsNonRoot: true,
    runAsUser: userId,
    runAsGroup: userId,
    seccompProfile: { type: 'RuntimeDefault' },
  },
};

const temporaryFolder = { name: 'tmp', emptyDir: { medium: 'Memory', sizeLimit: '64Mi' } };
const volumeMounts = [{ name: 'tmp', mountPath: '/tmp' }];

/** A quantity of docker-compose.yml, such as 1G, as one of Kubernetes. */
const memoryLimit = (text: string): string => text.replace(/([MG])$/, '$1i');

function resourcesOf(role: string, { cpu, memory }: Pick<Scale, 'cpu' | 'memory'>): object {
  const limits = serviceOf(role).deploy?.resources.limits ?? {};
  // no CPU limit: it throttles a process although the node is idle
  return { requests: { cpu, memory }, limits: { memory: memoryLimit(String(limits['memory'])) } };
}

/** Seconds of a duration such as 60s. */
const secondsOf = (duration = '30s'): number => Number(duration.replace(/s$/, ''));

function portsOf(role: string): object[] {
  const { PORT, INTERNAL_PORT, METRICS_PORT } = serviceOf(role).environment ?? {};
  const named = Object.entries({ http: PORT, internal: INTERNAL_PORT, metrics: METRICS_PORT });
  return named.flatMap(([name, port]) => (port === undefined ? [] : [{ name, containerPort: Number(port) }]));
}

const probe = (path: string, more: object): object => ({ httpGet: { path, port: 'http' }, timeoutSeconds: 3, ...more });

/** The start takes longer on a busy node; a process that is alive is not killed, and one that is not ready receives no requests. */
const probes = {
  startupProbe: probe('/health', { periodSeconds: 2, failureThreshold: 60 }),
  livenessProbe: probe('/health', { periodSeconds: 10, failureThreshold: 3 }),
  readinessProbe: probe('/ready', { periodSeconds: 5, failureThreshold: 2 }),
};

export function deployment(role: string, scale: Scale): object {
  const service = serviceOf(role);
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: metadataOf(role, role),
    spec: {
      // with autoscaling, the autoscaler decides
      ...(scale.replicasMax === undefined && { replicas: scale.replicas }),
      revisionHistoryLimit: 3,
      selector: { matchLabels: selectorOf(role) },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      template: {
        metadata: { labels: metadataOf(role, role).labels },
        spec: {
          ...podSettings,
          terminationGracePeriodSeconds: preStopSeconds + secondsOf(service.stop_grace_period),
          topologySpreadConstraints: [
            {
              maxSkew: 1,
              topologyKey: 'kubernetes.io/hostname',
              whenUnsatisfiable: 'ScheduleAnyway',
              labelSelector: { matchLabels: selectorOf(role) },
            },
          ],
          containers: [
            {
              name: role,
              image,
              args: service.command,
              ports: portsOf(role),
              envFrom: [{ configMapRef: { name: configName } }],
              env: variablesOf(role),
              ...probes,
              lifecycle: { preStop: { sleep: { seconds: preStopSeconds } } },
              resources: resourcesOf(role, scale),
              securityContext: containerSecurity,
              volumeMounts,
            },
          ],
          volumes: [temporaryFolder],
        },
      },
    },
  };
}

export function migrateJob(): object {
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: metadataOf('migrate', 'migrate'),
    spec: {
      backoffLimit: 3,
      template: {
        metadata: { labels: metadataOf('migrate', 'migrate').labels },
        spec: {
          ...podSettings,
          restartPolicy: 'Never',
          containers: [
            {
              name: 'migrate',
              image,
              command: serviceOf('migrate').entrypoint,
              env: ownerVariables(),
              resources: resourcesOf('migrate', { cpu: '100m', memory: '256Mi' }),
              securityContext: containerSecurity,
              volumeMounts,
            },
          ],
          volumes: [temporaryFolder],
        },
      },
    },
  };
}
