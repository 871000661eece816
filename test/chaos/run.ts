/** One run: starts the system and the load, injects the faults in turn, and verifies the account at the end. */
import { setTimeout as sleep } from 'node:timers/promises';
import { openReceiver, type Receiver } from '../../bench/webhook-receiver.ts';
import { issueLimitedKey, limitedPerDay } from './accounts.ts';
import { startHaproxy } from '../haproxy.ts';
import { allFaults, rollingRestart, type Fault } from './faults.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { startLoad } from './load.ts';
import { measureRecovery, type ProbeOptions } from './probes.ts';
import { createSend, type Send } from './requests.ts';
import { openSystem, type System } from './system.ts';
import {
  untilStreamed,
  verifyConsumers,
  verifyDeliveries,
  verifyEvents,
  verifyQuota,
  verifyStream,
  verifyWrites,
  type Violations,
} from './verification.ts';

export interface FaultResult {
  readonly name: string;
  readonly requests: number;
  readonly failed: number;
  /** Null: not recovered within a minute. */
  readonly recoveryMs: number | null;
  /** The last failure of a probe. */
  readonly lastFailure: string | null;
}

export interface ChaosResult {
  readonly faults: readonly FaultResult[];
  readonly checks: readonly Violations[];
  readonly ledger: Ledger;
}

export interface ChaosOptions {
  readonly rounds: number;
  /** Runs only the faults whose name contains this text. */
  readonly only: string;
  /** Restarts every process behind a load balancer, instead of faults. */
  readonly isRolling: boolean;
  readonly report: (line: string) => void;
  /** Receives what must be closed. */
  readonly resources: AsyncDisposableStack;
}

/** Time of undisturbed load before the first fault. */
const warmUpMs = 5_000;

async function createEndpoint(rest: Send, key: string, receiver: Receiver): Promise<void> {
  const types = ['organization.created', 'organization.updated'];
  const { body, reason } = await rest('set-up', '/api/v1/webhooks', { method: 'POST', key, body: { url: receiver.url, types } });
  if (reason !== null) throw new Error(`The webhook endpoint was not created: ${reason}`);
  // Cast: the response that the API documents.
  receiver.verifyWith((body as { readonly secret: string }).secret);
}

/** Injects a fault and measures the recovery from its end. */
async function runFault(fault: Fault, system: System, probes: ProbeOptions, ledger: Ledger): Promise<FaultResult> {
  await fault.prepare?.(system);
  const before = ledger.totals();
  const startMs = performance.now();
  const injected = fault.inject(system);
  if (!fault.isCrash) await injected;
  const fromMs = fault.isCrash ? startMs : performance.now();
  const recovery = await measureRecovery(probes, fromMs);
  await injected;
  const after = ledger.totals();
  return { name: fault.name, requests: after.requests - before.requests, failed: after.failed - before.failed, ...recovery };
}

function describe({ name, recoveryMs, lastFailure, requests, failed }: FaultResult): string {
  const recovery =
    recoveryMs === null ? `not recovered (${lastFailure ?? ''})` : `recovered in ${(recoveryMs / 1_000).toFixed(1)} s`;
  return `${name}: ${recovery}, ${failed} of ${requests} requests failed`;
}

async function verify(system: System, rest: Send, key: string, ledger: Ledger, receiver: Receiver): Promise<Violations[]> {
  const writes = await verifyWrites(rest, key, ledger);
  const { result, events } = await verifyEvents(rest, key, ledger);
  const deliveries = await verifyDeliveries(events, receiver.received.accepted);
  const consumers = await verifyConsumers(system.ownerUrl);
  const quota = verifyQuota(ledger, limitedPerDay, system.urls('router').length);
  await untilStreamed(ledger, events);
  return [writes, result, verifyStream(ledger, events), deliveries, consumers, quota];
}

/** Longer than two health checks of the balancer. */
const drained = { DRAIN_SECONDS: '4' };

/** Runs all chosen faults, or the restarts. */
export async function runChaos({ rounds, only, isRolling, report, resources }: ChaosOptions): Promise<ChaosResult> {
  const system = await openSystem(200, isRolling ? drained : {});
  resources.defer(system.close);
  let [restUrls, routerUrls] = [system.urls('rest'), system.urls('router')];
  if (isRolling) {
    const balancer = await startHaproxy(restUrls, routerUrls);
    resources.defer(balancer.close);
    restUrls = routerUrls = [balancer.url];
  }
  const receiver = await openReceiver();
  resources.defer(receiver.close);
  const ledger = createLedger();
  const { key } = system.database;
  const limitedKey = await issueLimitedKey(system.database);
  const rest = createSend(restUrls, ledger);
  const probes = { restUrls, routerUrls, key };
  // 19 processes start at once
  await measureRecovery(probes, performance.now());
  await createEndpoint(rest, key, receiver);
  report(`${system.processes.names.length} processes run`);

  const load = startLoad({ rest, graphql: createSend(routerUrls, ledger), restUrls, ledger, key, limitedKey });
  resources.defer(load.close);
  await sleep(warmUpMs);
  const { names } = system.processes;
  const chosen = (isRolling ? rollingRestart(names) : allFaults(names)).filter(({ name }) => name.includes(only));
  const faults: FaultResult[] = [];
  for (let round = 1; round <= rounds; round += 1)
    for (const fault of chosen) {
      const result = await runFault(fault, system, probes, ledger);
      report(describe(result));
      faults.push(result);
    }
  await load.stop();
  report('verifying');
  return { faults, checks: await verify(system, rest, key, ledger, receiver), ledger };
}
