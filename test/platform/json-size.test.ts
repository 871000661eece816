/** The number of values in a JSON text, counted without parsing it. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { hasMoreValues, limitValues } from '../../platform/http/json-size.ts';

/** Members, items, lists and objects at any depth. */
function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((total, inner) => total + countValues(inner), 1);
}

describe('hasMoreValues', () => {
  test('counts exactly the values of a document', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(0, 2), (value, indentation) => {
        const bytes = Buffer.from(JSON.stringify(value, null, indentation));
        const values = countValues(value);
        expect(hasMoreValues(bytes, values)).toBe(false);
        if (bytes.length >= values) expect(hasMoreValues(bytes, values - 1)).toBe(true);
      }),
      { numRuns: 3_000 },
    );
  });

  test.each([
    ['a text full of separators', JSON.stringify({ text: ',[{'.repeat(1_000) }), 2],
    ['a text with escaped quotes', JSON.stringify({ text: '",["'.repeat(1_000) }), 2],
    ['a text that ends with backslashes', JSON.stringify(['\\\\'.repeat(500), '\\']), 3],
    ['an unterminated text', `["${','.repeat(1_000)}`, 2],
  ])('%s counts as one value', (_, text, values) => {
    expect(hasMoreValues(Buffer.from(text), values)).toBe(false);
  });

  test('a limit has a problem with the limit', () => {
    const bytes = Buffer.from(JSON.stringify({ items: Array.from({ length: 100 }, () => ({})) }));
    expect(() => limitValues(bytes, 50)).toThrow(
      expect.objectContaining({ code: 'payload_too_large', extensions: expect.objectContaining({ maxValues: 50 }) }),
    );
  });
});
