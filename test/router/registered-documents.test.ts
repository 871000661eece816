/** How the router finds registered documents: in memory, and in the accounts area once. */
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { createRegisteredDocuments } from '../../router/graphql/registered-documents.ts';
import { Problem } from '../../schema/errors.ts';

/** The texts of the area by account and id, and how often the area was queried. */
const area = { texts: new Map<string, string>(), queries: 0, isDown: false };

const documents = () =>
  createRegisteredDocuments({
    query({ variables }) {
      area.queries += 1;
      if (area.isDown) return Promise.reject(new Problem('upstream_unavailable', 'The area accounts is unavailable.'));
      const text = area.texts.get(`${String(variables['accountId'])} ${String(variables['documentId'])}`) ?? null;
      return Promise.resolve({ data: { registeredDocumentText: text } });
    },
  });

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
  area.texts = new Map([['a sha256:1', '{ __typename }']]);
  area.queries = 0;
  area.isDown = false;
});
afterEach(() => {
  jest.useRealTimers();
});

test('a document is read once for concurrent and later requests, and again after five seconds', async () => {
  const { find } = documents();
  expect(await Promise.all([find('a', '1'), find('a', '1'), find('a', '1')])).toEqual(Array(3).fill('{ __typename }'));
  expect(await find('a', '1')).toBe('{ __typename }');
  expect(area.queries).toBe(1);
  area.texts.clear();
  jest.advanceTimersByTime(5_001);
  expect(await find('a', '1')).toBeNull();
  expect(area.queries).toBe(2);
});

test('a document belongs to its account, and an unknown id is looked up again after three seconds', async () => {
  const { find } = documents();
  expect(await find('a', '1')).toBe('{ __typename }');
  expect([await find('b', '1'), await find('b', '1')]).toEqual([null, null]);
  expect(area.queries).toBe(2);
  area.texts.set('b sha256:1', '{ __typename }');
  jest.advanceTimersByTime(3_001);
  expect(await find('b', '1')).toBe('{ __typename }');
});

test('while the area is unavailable, a known document is used for fifteen minutes', async () => {
  const { find } = documents();
  await find('a', '1');
  area.isDown = true;
  jest.advanceTimersByTime(14 * 60_000);
  expect(await find('a', '1')).toBe('{ __typename }');
  await expect(find('a', '2')).rejects.toMatchObject({ code: 'upstream_unavailable' });
  jest.advanceTimersByTime(2 * 60_000);
  await expect(find('a', '1')).rejects.toMatchObject({ code: 'upstream_unavailable' });
});
