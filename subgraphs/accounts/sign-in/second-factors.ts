/** Second factors over the area's database: the encrypted secret of an authenticator app, and recovery codes that can be used once. */
import { createHmac, randomBytes } from 'node:crypto';
import { sql, type Database, type Queryable } from '../../../platform/database/database.ts';
import { seal, unseal } from '../../../platform/security/sealed-text.ts';
import { validKeys, type Secrets } from '../../../platform/security/secrets.ts';
import { Problem } from '../../../schema/errors.ts';
import type { Population as PopulationName } from '../generated/resolvers.ts';
import { base32, keyUri, matchingStep } from './totp.ts';

/** The purpose of the key that encrypts the secrets (wiring/keys.ts). */
export const secondFactorPurpose = 'second-factor/1';
const secretBytes = 20;
const recoveryCodes = 10;
const recoveryBytes = 15;
const issuer = 'Talent Platform';

interface FactorRow {
  readonly encrypted: Buffer;
  readonly lastStep: string;
}

/** Recovery codes are compared without case, spaces and hyphens. */
const normalized = (code: string): string => code.replace(/[\s-]/g, '').toUpperCase();

/** A recovery code of 120 random bits in six groups of four: 112 or more need no password hash (NIST SP 800-63B section 3.1.2.2). */
const generateRecoveryCode = (): string => (base32(randomBytes(recoveryBytes)).match(/.{4}/g) ?? []).join('-');

const required = (): Problem =>
  new Problem('second_factor_required', 'Enter the code of your authenticator app, or a recovery code.');

/** The second factors of a population. */
export function createSecondFactors(database: Database, secrets: Secrets, population: PopulationName) {
  const key = { secrets, purpose: secondFactorPurpose };
  const ownerOf = (personId: string): string => `${population} ${personId}`;
  const hashWith = (pepper: Buffer, code: string): Buffer =>
    createHmac('sha256', pepper)
      .update(`recovery ${normalized(code)}`)
      .digest();
  const hashOf = (code: string): Buffer => hashWith(secrets.derive(secondFactorPurpose), code);
  const of = (personId: string) => sql`population = ${population} and person_id = ${personId}`;

  async function lock(transaction: Queryable, personId: string, isConfirmed: boolean): Promise<FactorRow | null> {
    const [row] = await transaction.query<FactorRow>(sql`/* secondFactors.lock */
      select encrypted, last_step::text as "lastStep" from second_factor
      where ${of(personId)} and (confirmed_at is not null) = ${isConfirmed} for update`);
    return row ?? null;
  }

  /** Accepts a code of the app and remembers its time step. */
  async function acceptCode(transaction: Queryable, personId: string, row: FactorRow, code: string): Promise<boolean> {
    const secret = Buffer.from(unseal(key, ownerOf(personId), row.encrypted), 'base64');
    const step = matchingStep(secret, code, Date.now(), Number(row.lastStep));
    if (step === null) return false;
    await transaction.query(sql`/* secondFactors.useStep */ update second_factor set last_step = ${step} where ${of(personId)}`);
    return true;
  }

  async function acceptRecoveryCode(transaction: Queryable, personId: string, code: string): Promise<boolean> {
    const hashes = validKeys(secrets, secondFactorPurpose).map((pepper) => hashWith(pepper, code));
    const used = await transaction.query(sql`/* secondFactors.useRecoveryCode */
      update recovery_code set used_at = now() where ${of(personId)} and hash = any(${hashes}::bytea[]) and used_at is null returning 1 as one`);
    return used.length > 0;
  }

  const areEnrolled = async (ids: readonly string[]): Promise<boolean[]> => {
    const rows = await database.query<{
      id: string;
    }>(sql`/* secondFactors.areEnrolled */ select person_id as id from second_factor
      where population = ${population} and person_id = any(${[...ids]}::uuid[]) and confirmed_at is not null`);
    const enrolled = new Set(rows.map(({ id }) => id));
    return ids.map((id) => enrolled.has(id));
  };

  return {
    areEnrolled,
    /**
     * Whether the code is accepted; true without a second factor. A code is accepted once. The caller limits attempts.
     * Throws Problem second_factor_required (401) without a code.
     */
    accept(personId: string, code: string | null): Promise<boolean> {
      return database.transaction(async (transaction) => {
        const row = await lock(transaction, personId, true);
        if (row === null) return true;
        if (code === null || code.trim() === '') throw required();
        const plain = code.replace(/\s/g, '');
        return /^\d{6}$/.test(plain)
          ? acceptCode(transaction, personId, row, plain)
          : acceptRecoveryCode(transaction, personId, code);
      });
    },
    /** Stores a new secret without effect until it is confirmed. Throws Problem conflict (409) if there is a second factor. */
    async prepare(transaction: Queryable, personId: string, email: string): Promise<{ secret: string; uri: string }> {
      const bytes = randomBytes(secretBytes);
      const encrypted = seal(key, ownerOf(personId), bytes.toString('base64'));
      const rows = await transaction.query(sql`/* secondFactors.prepare */
        insert into second_factor (population, person_id, encrypted) values (${population}, ${personId}, ${encrypted})
        on conflict (population, person_id) do update set encrypted = excluded.encrypted, last_step = 0
        where second_factor.confirmed_at is null returning 1 as one`);
      if (rows.length === 0) throw new Problem('conflict', 'There is a second factor. Remove it before you set up another one.');
      const secret = base32(bytes);
      return { secret, uri: keyUri(secret, issuer, email) };
    },
    /** Confirms the prepared secret. Returns the recovery codes, or null for a wrong code. */
    async confirm(transaction: Queryable, personId: string, code: string): Promise<string[] | null> {
      const row = await lock(transaction, personId, false);
      if (row === null) throw new Problem('conflict', 'There is no second factor to confirm. Set it up first.');
      if (!(await acceptCode(transaction, personId, row, code.replace(/\s/g, '')))) return null;
      await transaction.query(
        sql`/* secondFactors.confirm */ update second_factor set confirmed_at = now() where ${of(personId)}`,
      );
      const codes = Array.from({ length: recoveryCodes }, generateRecoveryCode);
      await transaction.query(sql`/* secondFactors.insertRecoveryCodes */ insert into recovery_code (population, person_id, hash)
        select ${population}, ${personId}::uuid, unnest(${codes.map(hashOf)}::bytea[])`);
      return codes;
    },
    /** Removes the second factor and its recovery codes. Returns false if there was none. */
    async remove(transaction: Queryable, personId: string): Promise<boolean> {
      const rows = await transaction.query(
        sql`/* secondFactors.remove */ delete from second_factor where ${of(personId)} returning 1 as one`,
      );
      return rows.length > 0;
    },
  };
}

export type SecondFactors = ReturnType<typeof createSecondFactors>;
