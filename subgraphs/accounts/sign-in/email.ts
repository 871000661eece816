/** Email addresses of people who sign in: one form and one rule for registration, invitations, setup, sign-in and identity providers. */
import type { Violation } from '../../../schema/errors.ts';

const addressMax = 320;
const localMax = 64;

/** Characters of a local part without quotes (RFC 5322 section 3.4.1), with letters of all scripts (RFC 6532). */
const atom = String.raw`[\p{L}\p{M}\p{N}!#$%&'*+/=?^_\x60{|}~-]+`;
const label = String.raw`[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?`;
const addressPattern = new RegExp(String.raw`^${atom}(?:\.${atom})*@(?:${label}\.)+${label}$`, 'u');
/** Some of these are letters, such as U+3164. */
const invisible = /\p{Default_Ignorable_Code_Point}/u;

/** The form of an address in which it is stored and compared. Case is ignored by the queries. */
export const emailOf = (text: string): string => text.trim().normalize('NFC');

function isAddress(email: string): boolean {
  if (Array.from(email).length > addressMax || email.indexOf('@') > localMax) return false;
  return addressPattern.test(email) && !invisible.test(email);
}

/** Violations of an address. */
export const emailViolations = (text: string): Violation[] =>
  isAddress(emailOf(text)) ? [] : [{ pointer: '/email', code: 'invalid', detail: 'Invalid email address.' }];
