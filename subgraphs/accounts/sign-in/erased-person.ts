/** Erasure of people who sign in: the row stays, because the history refers to its ID, without personal data and credentials. */
import { sql, type Queryable } from '../../../platform/database/database.ts';
import { Problem } from '../../../schema/errors.ts';
import type { PersonRow, Population } from './population.ts';
import type { SecondFactors } from './second-factors.ts';

interface Erasable extends Pick<PersonRow, 'email' | 'status'> {
  readonly erasedAt: string | null;
}

/** Throws Problem gone (410) for an erased person. */
export function rejectErased({ erasedAt }: Pick<Erasable, 'erasedAt'>, noun: string): void {
  if (erasedAt !== null) throw new Problem('gone', `This ${noun} has been erased.`);
}

/** Throws Problem invalid_transition (409) for a person that can still sign in. */
export function requireDisabled({ email, status }: Erasable, noun: string): void {
  if (status !== 'DISABLED')
    throw new Problem('invalid_transition', `${email} is not disabled. Disable the ${noun} before the erasure.`);
}

/** The address that replaces that of a person. Mail cannot reach the domain (RFC 2606). */
export const erasedEmail = (id: string): string => `${id}@erased.invalid`;

/** The values that replace those of a person. */
export const erasedValues = (id: string, noun: string) => ({
  name: `Erased ${noun}`,
  email: erasedEmail(id),
  lastSignedInAt: null,
});

/** Columns outside of the row that an erasure sets. */
export const erasedColumns = {
  erased_at: sql`now()`,
  password_hash: sql`null`,
  oidc_issuer: sql`null`,
  oidc_subject: sql`null`,
};

type Credentials = Pick<Population, 'links' | 'passkeys' | 'sessions'>;

/** Deletes the sessions, links, passkeys, second factor and recovery codes of a person. */
export async function deleteCredentials(
  transaction: Queryable,
  { links, passkeys, sessions }: Credentials,
  factors: SecondFactors,
  id: string,
): Promise<void> {
  await sessions.endOfPerson(transaction, id);
  await links.voidOf(transaction, id);
  await passkeys.removeAll(transaction, id);
  await factors.remove(transaction, id);
}
