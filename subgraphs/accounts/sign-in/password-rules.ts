/** Rules of new passwords (NIST SP 800-63B section 3.1.1.2). There are no composition rules. They need no database. */
import type { Violation } from '../../../schema/errors.ts';
import { sports } from '../../../schema/sports.ts';
import { isFrequentPassword } from './frequent-passwords.ts';

/** Length limits in characters. */
export const passwordLength = { min: 12, max: 200 } as const;

/** Letters and digits that a password must have in addition to words that are easy to guess. */
const otherCharactersMin = 8;

/** Shorter words occur in many texts. */
const wordLengthMin = 3;

/** Words that are easy to guess here: the product, its pages and its subject (ASVS 6.1.2). */
const platformWords = [
  ...'talent platform dashboard portal partner administrator admin owner password passwort welcome'.split(' '),
  ...'athlete scout scouting coach player club team league season sport'.split(' '),
  ...Object.values(sports).flatMap(({ title }) => title.toLowerCase().split(' ')),
];

/** Normalizes Unicode, so that a password matches however it was typed (SP 800-63B section 3.1.1.2). */
export const normalizePassword = (password: string): string => password.normalize('NFKC');

/** A password as guesses spell it. */
const plainOf = (text: string): string => normalizePassword(text).trim().toLowerCase();

const wordsOf = (text: string): string[] => plainOf(text).split(/[^\p{L}\p{M}\p{N}]+/u);

/** Whether a password is little more than the given words. */
function consistsOf(plain: string, words: readonly string[]): boolean {
  const longestFirst = words.filter(({ length }) => length >= wordLengthMin).sort((a, b) => b.length - a.length);
  const others = longestFirst.reduce((text, word) => text.replaceAll(word, ' '), plain);
  const characters = others.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  return others !== plain && characters < otherCharactersMin;
}

interface Person {
  readonly email: string;
  readonly name: string;
}

/** Violations of a new password: its length, common passwords, and texts that are easy to guess. */
export function passwordViolations(password: string, { email, name }: Person): Violation[] {
  const { min, max } = passwordLength;
  const length = Array.from(normalizePassword(password)).length;
  const violation = (code: string, detail: string): Violation[] => [{ pointer: '/password', code, detail }];
  if (length < min) return violation('too_short', `The password must have at least ${min} characters.`);
  if (length > max) return violation('too_long', `The password must have at most ${max} characters.`);
  const plain = plainOf(password);
  if (isFrequentPassword(plain))
    return violation('too_common', 'This is one of the most common passwords. Choose another one, such as four unrelated words.');
  if (consistsOf(plain, [...wordsOf(email), ...wordsOf(name), ...platformWords]))
    return violation(
      'too_easy',
      `The password is the name, the email address or a word of this platform. Add at least ${otherCharactersMin} other letters or digits.`,
    );
  if (new Set(plain).size < 3) return violation('too_easy', 'The password must contain at least three different characters.');
  return [];
}
