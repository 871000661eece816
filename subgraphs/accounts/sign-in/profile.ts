/** Rules about the names and email addresses of people who sign in. They need no database. */
import type { Violation } from '../../../schema/errors.ts';

const emailPattern = /^[^@\s]+@[^@\s]+$/u;

/** Violations of an email address. */
export const emailViolations = (email: string): Violation[] =>
  Array.from(email).length > 320 || !emailPattern.test(email.trim()) || /\p{Cc}/u.test(email)
    ? [{ pointer: '/email', code: 'invalid', detail: 'Invalid email address.' }]
    : [];

/** Violations of a name and an email address. */
export function profileViolations({ name, email }: { readonly name: string; readonly email: string }): Violation[] {
  const violations: Violation[] = [];
  if (name.trim() === '') violations.push({ pointer: '/name', code: 'required', detail: 'The name must not be blank.' });
  if (Array.from(name).length > 200)
    violations.push({ pointer: '/name', code: 'too_long', detail: 'The name must have at most 200 characters.' });
  if (/\p{Cc}/u.test(name))
    violations.push({ pointer: '/name', code: 'invalid', detail: 'The name must not contain control characters.' });
  return [...violations, ...emailViolations(email)];
}

/** A name and an email address without surrounding spaces. */
export const trimmed = <Profile extends { readonly name: string; readonly email: string }>(profile: Profile): Profile => ({
  ...profile,
  name: profile.name.trim(),
  email: profile.email.trim(),
});
