/** The load gate: a limit that grows while the process is idle, and a bounded queue that is fair between callers. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { expect, test } from '@jest/globals';
import { createLog } from '../../platform/log.ts';
import { createLoadGate, type LoadGateOptions } from '../../platform/load-gate.ts';
import { keepLoopBusy } from '../busy-loop.ts';
import { eventually } from '../eventually.ts';

const log = createLog({ name: 'test', level: 'silent' });

/** A gate with a record of what happened to the requests, and the functions that end them. */
function recordedGate(options: Partial<LoadGateOptions> = {}) {
  const gate = createLoadGate({ log, ...options });
  const started: string[] = [];
  const rejected: string[] = [];
  const leave = new Map<string, () => void>();
  const enter = (caller: string, name: string, isServed?: () => boolean): void => {
    const request = { caller, start: () => void started.push(name), reject: () => void rejected.push(name) };
    leave.set(name, gate.enter(isServed === undefined ? request : { ...request, isServed }));
  };
  return { gate, started, rejected, enter, leave: (name: string) => leave.get(name)?.() };
}

test('callers take turns, whatever number of requests each has', () => {
  const { started, enter, leave } = recordedGate({ limitMin: 1, limitStart: 1 });
  enter('a', 'a1');
  for (const name of ['a2', 'a3', 'a4']) enter('a', name);
  enter('b', 'b1');
  enter('c', 'c1');
  expect(started).toEqual(['a1']);
  for (const next of ['a1', 'a2', 'b1', 'c1', 'a3']) leave(next);
  expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'a4']);
  leave('a4');
});

test('requests that wait for something else than the process all start: the limit grows while the loop is idle', async () => {
  const { gate, started, rejected, enter, leave } = recordedGate({ limitStart: 8, waitMs: 60_000 });
  for (let index = 0; index < 60; index += 1) enter('a', `${index}`);
  await eventually(() => Promise.resolve(expect(started).toHaveLength(60)));
  expect(rejected).toEqual([]);
  for (const name of started) leave(name);
  expect(gate.state()).toMatchObject({ running: 0, waiting: 0 });
});

test('a full queue rejects the newest request of the caller with the most, and no request of others', () => {
  const { started, rejected, enter } = recordedGate({ limitMin: 1, limitStart: 1, waitingMax: 3 });
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) enter('a', name);
  expect(rejected).toEqual(['a5']);
  enter('b', 'b1');
  enter('c', 'c1');
  expect(rejected).toEqual(['a5', 'a4', 'a3']);
  expect(started).toEqual(['a1']);
});

test('while requests wait long, the newest starts first, the oldest are rejected, and the limit falls to its minimum', async () => {
  const { gate, started, rejected, enter, leave } = recordedGate({ limitMin: 1, limitStart: 4, waitMs: 500 });
  using _ = keepLoopBusy();
  let arrived = 0;
  // the queue is never empty meanwhile
  const arriving = setInterval(() => enter('a', `arrival ${(arrived += 1)}`), 30);
  try {
    for (let index = 0; index < 12; index += 1) enter('a', `old ${index}`);
    await eventually(() => Promise.resolve(expect(gate.state().limit).toBe(1)));
    await eventually(() => Promise.resolve(expect(rejected).toContain('old 4')));
    expect(started).toEqual(['old 0', 'old 1', 'old 2', 'old 3']);
    for (const name of ['new 1', 'new 2']) enter('a', name);
    for (const name of started.slice()) leave(name);
    expect(started.slice(4)).toEqual(['new 2']);
  } finally {
    clearInterval(arriving);
  }
});

test('a request whose client left is not started; one that was served is not counted', async () => {
  const { gate, started, enter, leave } = recordedGate({ limitMin: 1, limitStart: 1 });
  using _ = keepLoopBusy();
  enter('a', 'streams', () => true);
  enter('a', 'left');
  leave('left');
  enter('a', 'next');
  await eventually(() => Promise.resolve(expect(started).toEqual(['streams', 'next'])));
  expect(gate.state()).toMatchObject({ running: 1, waiting: 0 });
});

test('a request that waited starts in the asynchronous context in which it arrived', () => {
  const names = new AsyncLocalStorage<string>();
  const gate = createLoadGate({ log, limitMin: 1, limitStart: 1 });
  const seen: [string, string | undefined][] = [];
  const leaves = ['a', 'b', 'c'].map((name) =>
    names.run(name, () =>
      gate.enter({ caller: name, start: () => void seen.push([name, names.getStore()]), reject: () => undefined }),
    ),
  );
  for (const leave of leaves) leave();
  expect(seen).toEqual([
    ['a', 'a'],
    ['b', 'b'],
    ['c', 'c'],
  ]);
});
