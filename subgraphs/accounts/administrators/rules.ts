/** Rules about administrators that need no database. */
import type { Violation } from '../../../schema/errors.ts';

const emailPattern = /^[^@\s]+@[^@\s]+$/u;

/** Violations of a name and an email address. */
export function profileViolations({ name, email }: { readonly name: string; readonly email: string }): Violation[] {
  const violations: Violation[] = [];
  if (name.trim() === '') violations.push({ pointer: '/name', code: 'required', detail: 'The name must not be blank.' });
  if (Array.from(name).length > 200)
    violations.push({ pointer: '/name', code: 'too_long', detail: 'The name must have at most 200 characters.' });
  if (/\p{Cc}/u.test(name))
    violations.push({ pointer: '/name', code: 'invalid', detail: 'The name must not contain control characters.' });
  if (Array.from(email).length > 320 || !emailPattern.test(email.trim()) || /\p{Cc}/u.test(email))
    violations.push({ pointer: '/email', code: 'invalid', detail: 'Invalid email address.' });
  return violations;
}
