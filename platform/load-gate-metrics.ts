/** The state of the load gate as metrics. */
import type { LoadGate } from './load-gate.ts';
import { observe } from './telemetry/metrics.ts';

const requests = {
  name: 'platform_load_requests',
  help: 'Requests in the load gate. state: running or waiting.',
  labelNames: ['state'],
};
const limit = {
  name: 'platform_load_limit',
  help: 'Requests that the load gate lets run at the same time.',
  labelNames: [],
};

/** The gate of the process is observed until the process ends. */
export function observeGate(gate: LoadGate): LoadGate {
  observe(requests, () => {
    const { running, waiting } = gate.state();
    return [
      [{ state: 'running' }, running],
      [{ state: 'waiting' }, waiting],
    ];
  });
  observe(limit, () => [[{}, gate.state().limit]]);
  return gate;
}
