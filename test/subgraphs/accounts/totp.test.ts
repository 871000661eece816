/** Time-based one-time passwords against the test vectors of RFC 4226 and RFC 6238, and their acceptance. */
import { describe, expect, test } from '@jest/globals';
import { base32, codeOf, keyUri, matchingStep, stepAt } from '../../../subgraphs/accounts/sign-in/totp.ts';

const secret = Buffer.from('12345678901234567890');

test.each([
  [0, '755224'],
  [1, '287082'],
  [2, '359152'],
  [3, '969429'],
  [4, '338314'],
  [5, '254676'],
  [6, '287922'],
  [7, '162583'],
  [8, '399871'],
  [9, '520489'],
])('counter %i of RFC 4226, appendix D', (counter, code) => {
  expect(codeOf(secret, counter)).toBe(code);
});

test.each([
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
])('second %i of RFC 6238, appendix B', (seconds, code) => {
  expect(codeOf(secret, stepAt(seconds * 1000), 8)).toBe(code);
});

describe('a code', () => {
  const now = 1_700_000_000_000;
  const step = stepAt(now);

  test('is accepted one step early or late', () => {
    for (const offset of [-1, 0, 1]) expect(matchingStep(secret, codeOf(secret, step + offset), now, 0)).toBe(step + offset);
    for (const offset of [-2, 2]) expect(matchingStep(secret, codeOf(secret, step + offset), now, 0)).toBeNull();
  });

  test('is not accepted again, nor is an earlier one', () => {
    expect(matchingStep(secret, codeOf(secret, step), now, step)).toBeNull();
    expect(matchingStep(secret, codeOf(secret, step - 1), now, step)).toBeNull();
    expect(matchingStep(secret, codeOf(secret, step + 1), now, step)).toBe(step + 1);
  });

  test('of another length is rejected', () => {
    for (const code of ['', '1', '0'.repeat(8)]) expect(matchingStep(secret, code, now, 0)).toBeNull();
  });
});

test.each([
  ['', ''],
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foo', 'MZXW6'],
  ['foob', 'MZXW6YQ'],
  ['fooba', 'MZXW6YTB'],
  ['foobar', 'MZXW6YTBOI'],
])('Base32 of "%s" of RFC 4648, section 10', (text, encoded) => {
  expect(base32(Buffer.from(text))).toBe(encoded);
});

test('the key URI escapes the account', () => {
  const uri = new URL(keyUri('MZXW6', 'Talent Platform', 'a:b&c@example.com'));
  expect([uri.protocol, uri.searchParams.get('secret'), uri.searchParams.get('issuer')]).toEqual([
    'otpauth:',
    'MZXW6',
    'Talent Platform',
  ]);
  expect(decodeURIComponent(uri.pathname)).toBe('/Talent Platform:a:b&c@example.com');
});
