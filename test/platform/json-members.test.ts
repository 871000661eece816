/** Repeated members of objects, found without a second parser. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { countMembers, findRepeatedMember, membersIn, repeatedMember } from '../../platform/http/json-members.ts';

test('counts exactly the members of a document, and finds none repeated', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(0, 2), (value, indentation) => {
      const bytes = Buffer.from(JSON.stringify(value, null, indentation));
      expect(countMembers(bytes)).toBe(membersIn(JSON.parse(bytes.toString())));
      expect(findRepeatedMember(bytes)).toBe(-1);
      expect(repeatedMember(bytes, membersIn(value))).toBeNull();
    }),
    { numRuns: 3_000 },
  );
});

test.each([
  ['{"a":1,"a":2}', 7],
  ['{"a":{"a":1},"b":[{"a":1},{"a":1}],"b":0}', 35],
  ['[{"x":"a:b","y":{"\\u0061":1, "a" :2}}]', 29],
  ['{"é":1,"\\u00e9":2}', 8],
])('%s repeats a member', (text, position) => {
  const bytes = Buffer.from(text);
  expect(findRepeatedMember(bytes)).toBe(position);
  expect(repeatedMember(bytes, membersIn(JSON.parse(text)))?.message).toContain(`position ${position}`);
});
