/** The recorded names of operations. */
import { expect, test } from '@jest/globals';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Kind, parse } from 'graphql';
import { recordedName } from '../../router/graphql/operation-name.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function heapBytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

function nameIn(text: string): string {
  const [definition] = parse(text, { noLocation: true }).definitions;
  if (definition?.kind !== Kind.OPERATION_DEFINITION || !definition.name) throw new Error('no name');
  return recordedName(definition.name.value);
}

test('a recorded name does not keep its document in memory', () => {
  const before = heapBytes();
  const names = Array.from({ length: 300 }, (_, index) =>
    nameIn(`query clubsOfTheNorth${index} { a } # ${Buffer.alloc(100_000, 97).toString()}`),
  );
  const retained = heapBytes() - before;
  expect(names[7]).toBe('clubsOfTheNorth7');
  expect(retained).toBeLessThan(5_000_000);
});

test('a long name is cut to 100 characters', () => {
  expect(nameIn(`query ${'a'.repeat(50_000)} { a }`)).toBe('a'.repeat(100));
});
