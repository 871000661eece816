/** Passwords: their stored form and their rules. */
import { expect, test } from '@jest/globals';
import { passwordViolations } from '../../../subgraphs/accounts/sign-in/password-rules.ts';
import { hashPassword, matchesPassword } from '../../../subgraphs/accounts/sign-in/password.ts';

const ada = { name: 'Ada Lovelace, Countess', email: 'ada.lovelace@example.com' };
const codes = (password: string): string[] => passwordViolations(password, ada).map(({ code }) => code);

test('a password is stored with its parameters and a separate salt', async () => {
  const [one, two] = await Promise.all([hashPassword('correct horse battery'), hashPassword('correct horse battery')]);
  expect(one).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  expect(one).not.toBe(two);
  expect(await matchesPassword('correct horse battery', one)).toBe(true);
  expect(await matchesPassword('correct horse batterz', one)).toBe(false);
});

test('different Unicode forms of the same characters are the same password', async () => {
  // composed, decomposed and full-width letters
  const stored = await hashPassword('zoë and Zoë');
  expect(await matchesPassword('zoë and Ｚoë', stored)).toBe(true);
});

test('the length limit applies to the composed form', async () => {
  const composed = 'é'.repeat(150);
  expect(codes(`${composed} a b`)).toEqual([]);
  expect(await matchesPassword(composed.normalize('NFD'), await hashPassword(composed))).toBe(true);
});

test('nothing matches a missing password, and a text over the maximum length matches nothing', async () => {
  expect(await matchesPassword('', null)).toBe(false);
  expect(await matchesPassword('x'.repeat(1_000_000), await hashPassword(''))).toBe(false);
  expect(await matchesPassword('x', 'no hash')).toBe(false);
});

test.each([
  ['11 letters !', []],
  ['short enoug', ['too_short']],
  ['😀🚀🎉🥇🏀⚽🎾🏐🏉🏈⚾🥎', []],
  ['xyz'.repeat(67), ['too_long']],
  ['xy'.repeat(8), ['too_easy']],
  ['ADA.LOVELACE@EXAMPLE.COM', ['too_easy']],
  ['ada.lovelace', ['too_easy']],
  [' ada lovelace, countess ', ['too_easy']],
  ['ａｄａ.ｌｏｖｅｌａｃｅ', ['too_easy']],
  ['ada.lovelace@example.com!', ['too_easy']],
  ['ada.lovelace, ada.lovelace', ['too_easy']],
  ['Lovelace-1815', ['too_easy']],
  ['Talent-Platform-2026', ['too_easy']],
  ['talentplatform', ['too_easy']],
  ['Football2026!', ['too_easy']],
  ['the football club of my sister', []],
  ['a sentence is good', []],
  ['qwerty123456', ['too_common']],
  ['QWERTY123456', ['too_common']],
  [' 1Q2w3e4r5t6y ', ['too_common']],
  ['unbelievable', ['too_common']],
  ['passwordpassword', ['too_common']],
  ['correct horse battery', []],
])('%j has the violations %j', (password, expected) => expect(codes(password)).toEqual(expected));
