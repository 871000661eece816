/** Rules about the names and email addresses of people who sign in. They need no database. */
import type { Violation } from '../../../schema/errors.ts';
import { nameIssue } from '../../../schema/texts.ts';
import { emailOf, emailViolations } from './email.ts';

/** Maximum number of characters of the name of a person. */
const nameMax = 200;

interface NameRule {
  readonly pointer?: string;
  /** The subject of the texts. */
  readonly title?: string;
  /** Maximum number of characters. */
  readonly max?: number;
}

/** Violations of a name, which has the rules of names in GraphQL inputs. */
export function nameViolations(
  name: string,
  { pointer = '/name', title = 'The name', max = nameMax }: NameRule = {},
): Violation[] {
  const issue = nameIssue(name);
  const tooLong = { pointer, code: 'too_long', detail: `${title} must have at most ${max} characters.` };
  return [
    ...(Array.from(name).length > max ? [tooLong] : []),
    ...(issue === null ? [] : [{ pointer, code: 'invalid', detail: `${title} ${issue}.` }]),
  ];
}

/** Violations of a name and an email address. */
export const profileViolations = ({ name, email }: { readonly name: string; readonly email: string }): Violation[] => [
  ...nameViolations(name),
  ...emailViolations(email),
];

/** A name without surrounding spaces, and an email address in its stored form. */
export const trimmed = <Profile extends { readonly name: string; readonly email: string }>(profile: Profile): Profile => ({
  ...profile,
  name: profile.name.trim(),
  email: emailOf(profile.email),
});

/** The name that an identity provider returned; the address if it is not a name, so that the person can sign in. */
export function nameOfIdentity(name: string | null | undefined, email: string): string {
  const shortened = Array.from(name?.trim() ?? '')
    .slice(0, nameMax)
    .join('');
  return nameIssue(shortened) === null ? shortened : Array.from(email).slice(0, nameMax).join('');
}
