/** Measures recovery: one request of each kind at a time, to every instance that clients reach. */
import { setTimeout as sleep } from 'node:timers/promises';
import { graphqlRead, reads } from './load.ts';
import { createSend } from './requests.ts';
import { createLedger } from './ledger.ts';

/** Rare enough that the probes take little of the processor time that a restart needs. */
const intervalMs = 400;
/** The system has recovered when everything has succeeded for this time. */
const calmMs = 2_000;
const limitMs = 60_000;

export interface ProbeOptions {
  readonly restUrls: readonly string[];
  readonly routerUrls: readonly string[];
  readonly key: string;
}

export interface Recovery {
  /** The milliseconds from the beginning until the last failure; null if failures go on for a minute. */
  readonly recoveryMs: number | null;
  /** The last failure. */
  readonly lastFailure: string | null;
}

/** Sends probes until all have succeeded for two seconds. */
export async function measureRecovery({ restUrls, routerUrls, key }: ProbeOptions, fromMs: number): Promise<Recovery> {
  const ledger = createLedger();
  let lastFailureMs = fromMs;
  let lastFailure: string | null = null;
  const kinds = [
    ...restUrls.flatMap((url) => reads.map((path) => [createSend([url], ledger), `/api/v1${path}`, {}] as const)),
    ...routerUrls.map(
      (url) => [createSend([url], ledger), '/graphql', { method: 'POST', body: { query: graphqlRead } }] as const,
    ),
    // a write that changes nothing: the resource does not exist
    ...restUrls.map((url) => {
      const write = { method: 'PATCH', body: { name: 'Probe' }, headers: { 'if-match': '*' }, expected: [404] };
      return [createSend([url], ledger), '/api/v1/organizations/00000000-0000-7000-8000-000000000000', write] as const;
    }),
  ];
  const isOver = (): boolean =>
    performance.now() - Math.max(lastFailureMs, fromMs) > calmMs || performance.now() - fromMs > limitMs;
  await Promise.all(
    kinds.map(async ([send, path, options]) => {
      while (!isOver()) {
        const { reason } = await send('probe', path, { ...options, key });
        if (reason !== null) [lastFailureMs, lastFailure] = [performance.now(), `${path}: ${reason}`];
        await sleep(intervalMs);
      }
    }),
  );
  return { recoveryMs: performance.now() - lastFailureMs > calmMs / 2 ? lastFailureMs - fromMs : null, lastFailure };
}
