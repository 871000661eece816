/** The indentation of JSON texts in the dashboard. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { indentJson } from '../../dashboard/components/indent-json.ts';

test('indents objects and lists as JSON.stringify does', () => {
  fc.assert(
    fc.property(fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.jsonValue())), (value) => {
      expect(indentJson(JSON.stringify(value))).toBe(JSON.stringify(JSON.parse(JSON.stringify(value)), null, 2));
    }),
  );
});

test('loses no character of a text that ends early', () => {
  const text = JSON.stringify({ id: 'a "b" {c}', list: [1, { d: null }], empty: {}, text: 'x, y: z' });
  for (let length = 1; length <= text.length; length += 1) {
    const start = text.slice(0, length);
    expect(indentJson(start).replaceAll(/\s/g, '')).toBe(start.replaceAll(/\s/g, ''));
  }
});

test('leaves other texts unchanged', () => {
  for (const text of ['', 'ok', '<html> <b>{}</b>', '"text"']) expect(indentJson(text)).toBe(text);
});
