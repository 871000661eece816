/** The circuit breaker and the adaptive limit, on a clock of the test. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { createAdaptiveLimit } from '../../router/protection/adaptive-limit.ts';
import { createCircuit, type Circuit } from '../../router/protection/circuit.ts';

let now = 0;
const clock = (): number => now;
const repeat = (times: number, work: () => void): void => {
  for (let each = 0; each < times; each += 1) work();
};

describe('a circuit', () => {
  let circuit: Circuit;
  let changes: string[];
  beforeEach(() => {
    now = 0;
    changes = [];
    circuit = createCircuit({ clock, onChange: (state, reason) => void changes.push(`${state}: ${reason}`) });
  });
  const fail = (): void => circuit.failed(circuit.admit());
  const succeed = (): void => circuit.succeeded(circuit.admit());

  test('opens after five consecutive failures and rejects calls then', () => {
    repeat(4, fail);
    succeed();
    repeat(4, fail);
    expect(circuit.state()).toBe('CLOSED');
    fail();
    expect(changes).toEqual(['OPEN: 5 consecutive calls failed']);
    expect(circuit.admit()).toBe('REJECTED');
  });

  test('opens when half of at least twenty calls of the last seconds fail', () => {
    repeat(9, () => [fail(), succeed()]);
    expect(circuit.state()).toBe('CLOSED');
    repeat(2, fail);
    expect(changes).toEqual(['OPEN: 11 of 20 calls failed']);
  });

  test('forgets failures after ten seconds', () => {
    repeat(9, () => [fail(), succeed()]);
    now = 10_001;
    repeat(2, () => [fail(), succeed()]);
    expect(circuit.state()).toBe('CLOSED');
  });

  test('admits one trial at a time after a probe, and closes when it succeeds', () => {
    circuit.open('test');
    circuit.probed();
    expect([circuit.admit(), circuit.admit()]).toEqual(['TRIAL', 'REJECTED']);
    circuit.succeeded('TRIAL');
    expect(circuit.state()).toBe('CLOSED');
    expect(circuit.admit()).toBe('CALL');
  });

  test('opens again when the trial fails; a trial that succeeds later closes it', () => {
    circuit.open('test');
    circuit.probed();
    circuit.failed(circuit.admit());
    expect([circuit.state(), circuit.admit()]).toEqual(['OPEN', 'REJECTED']);
    circuit.succeeded('TRIAL');
    expect(circuit.state()).toBe('CLOSED');
  });

  test('starts another trial when the caller of the first disconnects, and after one second', () => {
    circuit.open('test');
    circuit.probed();
    circuit.withdrawn(circuit.admit());
    expect(circuit.admit()).toBe('TRIAL');
    now = 1_000;
    expect([circuit.admit(), circuit.admit()]).toEqual(['TRIAL', 'REJECTED']);
  });

  test('ignores results of calls that were sent before it opened', () => {
    const earlier = circuit.admit();
    circuit.open('test');
    circuit.probed();
    circuit.failed(earlier);
    circuit.succeeded(earlier);
    expect(circuit.state()).toBe('HALF_OPEN');
  });
});

describe('an adaptive limit', () => {
  /** One window of calls with this response time, with all places used. */
  const window = (limit: ReturnType<typeof createAdaptiveLimit>, durationMs: number, share = 1): void => {
    const inProgress = limit.current() * share;
    now += 1_000;
    repeat(20, () => limit.record(durationMs, inProgress));
  };

  test('shrinks while calls take longer than usual and grows again afterwards, within its bounds', () => {
    now = 0;
    const limit = createAdaptiveLimit(clock);
    repeat(20, () => window(limit, 10));
    const usual = limit.current();
    expect(usual).toBeGreaterThan(100);
    repeat(10, () => window(limit, 200));
    const overloaded = limit.current();
    expect(overloaded).toBeLessThan(usual / 2);
    repeat(20, () => window(limit, 10));
    expect(limit.current()).toBeGreaterThan(overloaded);
    repeat(10_000, () => window(limit, 10));
    expect(limit.current()).toBe(1_000);
  });

  test('never shrinks below 16 calls', () => {
    now = 0;
    const limit = createAdaptiveLimit(clock);
    repeat(10, () => window(limit, 1));
    repeat(30, () => window(limit, 100_000));
    expect(limit.current()).toBeGreaterThanOrEqual(16);
    expect(limit.current()).toBeLessThan(40);
  });

  test('does not change while less than half of it is used', () => {
    now = 0;
    const limit = createAdaptiveLimit(clock);
    repeat(20, () => window(limit, 10, 0.4));
    repeat(20, () => window(limit, 500, 0.4));
    expect(limit.current()).toBe(100);
  });
});
