/** The limit of expensive operations per caller. */
import { expect, test } from '@jest/globals';
import { createExpensiveOperationLimit } from '../../router/protection/expensive-operations.ts';
import { eventually } from '../eventually.ts';

/** An operation that ends when the test says so. */
function held() {
  const { promise, resolve } = Promise.withResolvers<string>();
  const operation = { started: 0, end: resolve, run: () => ((operation.started += 1), promise) };
  return operation;
}

test('operations above the limit wait and run in their order; other callers do not wait', async () => {
  const limited = createExpensiveOperationLimit({ running: 2 });
  const [first, second, third, fourth, other] = [held(), held(), held(), held(), held()];
  const results = [first, second, third, fourth].map(({ run }) => limited('one', undefined, run));
  const unrelated = limited('two', undefined, other.run);
  const started = (): number[] => [first, second, third, fourth, other].map((each) => each.started);
  await eventually(() => Promise.resolve(expect(started()).toEqual([1, 1, 0, 0, 1])));
  other.end('other');
  expect(await unrelated).toBe('other');
  expect(started()).toEqual([1, 1, 0, 0, 1]);
  second.end('second');
  await eventually(() => Promise.resolve(expect(started()).toEqual([1, 1, 1, 0, 1])));
  for (const operation of [first, third, fourth]) operation.end('done');
  expect(await Promise.all(results)).toEqual(['done', 'second', 'done', 'done']);
});

test('an operation is rejected as overloaded after the wait, when too many wait, and when its client disconnects', async () => {
  const limited = createExpensiveOperationLimit({ running: 1, waiting: 1, waitMs: 50 });
  const running = held();
  const result = limited('one', undefined, running.run);
  const rejected = { code: 'overloaded', message: expect.stringContaining('expensive operations of this account') };
  const controller = new AbortController();
  const leaving = limited('one', controller.signal, held().run);
  await expect(limited('one', undefined, held().run)).rejects.toMatchObject(rejected);
  controller.abort();
  await expect(leaving).rejects.toMatchObject(rejected);
  const waiting = held();
  await expect(limited('one', undefined, waiting.run)).rejects.toMatchObject(rejected);
  expect(waiting.started).toBe(0);
  running.end('done');
  await result;
  const next = held();
  next.end('next');
  expect(await limited('one', undefined, next.run)).toBe('next');
});

test('an operation that fails frees its place', async () => {
  const limited = createExpensiveOperationLimit({ running: 1 });
  await expect(limited('one', undefined, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  expect(await limited('one', undefined, () => Promise.resolve('next'))).toBe('next');
});
