/** The size of each role in the base manifests: a start, to be changed in an overlay after a measurement. */

export interface Scale {
  /** Without autoscaling: the number of pods. With it: the least. */
  readonly replicas: number;
  /** The most pods; absent: no autoscaling. */
  readonly replicasMax?: number;
  /** What the scheduler reserves. */
  readonly cpu: string;
  readonly memory: string;
}

const area: Scale = { replicas: 2, replicasMax: 6, cpu: '250m', memory: '256Mi' };

export const scales: Readonly<Record<string, Scale>> = {
  rest: { replicas: 2, replicasMax: 8, cpu: '250m', memory: '256Mi' },
  router: { replicas: 2, replicasMax: 8, cpu: '500m', memory: '384Mi' },
  // one is active, the other on standby
  worker: { replicas: 2, cpu: '250m', memory: '256Mi' },
  // test data is in the memory of one process
  sandbox: { replicas: 1, cpu: '100m', memory: '256Mi' },
  accounts: area,
  athletes: area,
  competitions: area,
  opportunities: area,
  organizations: area,
  scouting: area,
};
