/** The Services of a role, its autoscaler and its disruption budget. */
import { serviceOf } from '../compose-file.ts';
import { metadataOf, selectorOf } from './labels.ts';
import type { Scale } from './scales.ts';

/** Roles that no other process calls. */
const withoutService = new Set(['worker']);
const publicRoles = new Set(['rest', 'router']);

/** Callers of a headless Service connect to every pod, and distribute their calls (docs/deploy/instances.md). */
function service(name: string, role: string, port: string, portName: string, isHeadless: boolean): object {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: metadataOf(name, role),
    spec: {
      ...(isHeadless && { clusterIP: 'None' }),
      selector: selectorOf(role),
      ports: [{ name: portName, port: Number(port), targetPort: portName }],
    },
  };
}

export function services(role: string): object[] {
  if (withoutService.has(role)) return [];
  const { PORT = '', INTERNAL_PORT } = serviceOf(role).environment ?? {};
  return [
    service(role, role, PORT, 'http', !publicRoles.has(role)),
    ...(INTERNAL_PORT === undefined ? [] : [service(`${role}-internal`, role, INTERNAL_PORT, 'internal', true)]),
  ];
}

function autoscaler(role: string, { replicas, replicasMax }: Scale): object {
  return {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: metadataOf(role, role),
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: role },
      minReplicas: replicas,
      maxReplicas: replicasMax,
      metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } } }],
      // a rush of requests ends before the pods do
      behavior: { scaleDown: { stabilizationWindowSeconds: 300 } },
    },
  };
}

/** A budget for one pod would block the drain of its node. */
export function availability(role: string, scale: Scale): object[] {
  if (scale.replicas < 2) return [];
  const budget = {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: metadataOf(role, role),
    spec: { maxUnavailable: 1, selector: { matchLabels: selectorOf(role) } },
  };
  return [budget, ...(scale.replicasMax === undefined ? [] : [autoscaler(role, scale)])];
}
