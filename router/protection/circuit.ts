/** The circuit breaker of one area: after repeated failures its calls are rejected immediately, until a probe and a trial call succeed. */

export type CircuitState = 'CLOSED' | 'OPEN' | 'HALF_OPEN';

/** How a call is admitted: normally, as the trial of a half-open circuit, or not at all. */
export type CircuitAdmission = 'CALL' | 'TRIAL' | 'REJECTED';

export interface CircuitOptions {
  readonly clock: () => number;
  /** Called after each change of the state. */
  readonly onChange: (state: CircuitState, reason: string) => void;
}

export interface Circuit {
  state(): CircuitState;
  admit(): CircuitAdmission;
  succeeded(admission: CircuitAdmission): void;
  failed(admission: CircuitAdmission): void;
  /** The call ended for another reason than the area: its caller disconnected, or it was never sent. */
  withdrawn(admission: CircuitAdmission): void;
  open(reason: string): void;
  /** The area responded to a probe: the next call is a trial. */
  probed(): void;
}

/** Opens after this number of consecutive failures. */
const consecutiveMax = 5;
/** Or when this share of at least `callsMin` calls failed within the last one to two windows. */
const failedShareMax = 0.5;
const callsMin = 20;
const windowMs = 5_000;
/** Another trial starts when the previous one has not ended within this time. */
export const trialMs = 1_000;

interface Counts {
  calls: number;
  failures: number;
}

/** The states follow the circuit breaker of M. Nygard, "Release It!", with an active probe in front of the trial (docs/decisions/0039-protected-areas.md). */
export function createCircuit({ clock, onChange }: CircuitOptions): Circuit {
  let state: CircuitState = 'CLOSED';
  let consecutive = 0;
  let current: Counts = { calls: 0, failures: 0 };
  let previous: Counts = { calls: 0, failures: 0 };
  let windowEndsMs = clock() + windowMs;
  let trialStartedMs: number | null = null;

  function change(next: CircuitState, reason: string): void {
    state = next;
    consecutive = 0;
    current = { calls: 0, failures: 0 };
    previous = { calls: 0, failures: 0 };
    trialStartedMs = null;
    onChange(next, reason);
  }

  function rotate(): void {
    const now = clock();
    if (now < windowEndsMs) return;
    previous = now < windowEndsMs + windowMs ? current : { calls: 0, failures: 0 };
    current = { calls: 0, failures: 0 };
    windowEndsMs = now + windowMs;
  }

  /** The reason to open; null while the circuit stays closed. */
  function reasonToOpen(): string | null {
    if (consecutive >= consecutiveMax) return `${consecutive} consecutive calls failed`;
    const [calls, failures] = [current.calls + previous.calls, current.failures + previous.failures];
    return calls >= callsMin && failures >= calls * failedShareMax ? `${failures} of ${calls} calls failed` : null;
  }

  return {
    state: () => state,
    admit() {
      if (state === 'CLOSED') return 'CALL';
      if (state === 'OPEN') return 'REJECTED';
      const now = clock();
      if (trialStartedMs !== null && now - trialStartedMs < trialMs) return 'REJECTED';
      trialStartedMs = now;
      return 'TRIAL';
    },
    succeeded(admission) {
      if (state === 'CLOSED') {
        rotate();
        consecutive = 0;
        current.calls += 1;
      } else if (admission === 'TRIAL') change('CLOSED', 'a call succeeded');
    },
    failed(admission) {
      if (state === 'HALF_OPEN' && admission === 'TRIAL') return change('OPEN', 'a trial call failed');
      if (state !== 'CLOSED') return;
      rotate();
      consecutive += 1;
      current.calls += 1;
      current.failures += 1;
      const reason = reasonToOpen();
      if (reason !== null) change('OPEN', reason);
    },
    withdrawn(admission) {
      if (admission === 'TRIAL') trialStartedMs = null;
    },
    open(reason) {
      if (state !== 'OPEN') change('OPEN', reason);
    },
    probed() {
      if (state === 'OPEN') change('HALF_OPEN', 'a probe succeeded');
    },
  };
}
