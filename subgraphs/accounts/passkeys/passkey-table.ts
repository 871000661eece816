/** The passkeys of a population, and the registrations that its persons have started. */
import { sql, type Queryable } from '../../../platform/database/database.ts';
import type { BatchRead } from '../../runtime/subgraph.ts';
import type { Population as PopulationName } from '../generated/resolvers.ts';

/** A passkey as its owner reads it. */
export interface PasskeyRow {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
}

/** What the authenticator of a passkey created. */
export interface Credential {
  /** Base64url. */
  readonly credentialId: string;
  /** COSE key. */
  readonly publicKey: Buffer;
  /** Signature counter; 0 for an authenticator that does not count. */
  readonly counter: number;
}

export interface StoredPasskey extends Credential {
  readonly id: string;
  readonly personId: string;
}

/** Passkeys of a person. */
export const passkeysMax = 20;

const columns = sql`id, name, created_at as "createdAt", last_used_at as "lastUsedAt"`;

const bytesOf = (credentialId: string): Buffer => Buffer.from(credentialId, 'base64url');

export function createPasskeyTable(population: PopulationName) {
  const of = (personId: string) => sql`population = ${population} and person_id = ${personId}`;

  return {
    /** Oldest first. */
    ofPerson: (queryable: Queryable, personId: string): Promise<PasskeyRow[]> =>
      queryable.query<PasskeyRow>(
        sql`/* passkeys.ofPerson */ select ${columns} from passkey where ${of(personId)} order by created_at, id limit ${passkeysMax}`,
      ),
    /** Whether persons have a passkey. */
    areRegistered:
      (queryable: Queryable): BatchRead<string, boolean> =>
      async (ids) => {
        const rows = await queryable.query<{ id: string }>(sql`/* passkeys.areRegistered */ select distinct person_id as id
          from passkey where population = ${population} and person_id = any(${[...ids]}::uuid[])`);
        const registered = new Set(rows.map(({ id }) => id));
        return ids.map((id) => registered.has(id));
      },
    /** IDs of the credentials of a person, in base64url. */
    async credentialIds(queryable: Queryable, personId: string): Promise<string[]> {
      const rows = await queryable.query<{ credentialId: Buffer }>(
        sql`/* passkeys.credentialIds */ select credential_id as "credentialId" from passkey where ${of(personId)} limit ${passkeysMax}`,
      );
      return rows.map(({ credentialId }) => credentialId.toString('base64url'));
    },
    /** The passkey with a credential ID; null if there is none in this population. */
    async find(queryable: Queryable, credentialId: string): Promise<StoredPasskey | null> {
      const [row] = await queryable.query<{ id: string; personId: string; publicKey: Buffer; counter: string }>(
        sql`/* passkeys.find */ select id, person_id as "personId", public_key as "publicKey", counter::text as counter
          from passkey where population = ${population} and credential_id = ${bytesOf(credentialId)}`,
      );
      return row ? { ...row, credentialId, counter: Number(row.counter) } : null;
    },
    async insert(transaction: Queryable, personId: string, name: string, credential: Credential): Promise<PasskeyRow> {
      const { credentialId, publicKey, counter } = credential;
      const [row] = await transaction.query<PasskeyRow>(sql`/* passkeys.insert */
        insert into passkey (population, person_id, name, credential_id, public_key, counter)
        values (${population}, ${personId}, ${name}, ${bytesOf(credentialId)}, ${publicKey}, ${counter}) returning ${columns}`);
      if (!row) throw new Error('insert into passkey returned no row');
      return row;
    },
    /**
     * Records an accepted assertion. Returns false if its challenge is not later than the last accepted one, or if the counter did not increase:
     * the assertion was used before, or the authenticator was cloned.
     */
    async use(transaction: Queryable, id: string, counter: number, challengedAtMs: number): Promise<boolean> {
      const rows = await transaction.query(sql`/* passkeys.use */
        update passkey set counter = ${counter}, last_challenge = ${challengedAtMs}, last_used_at = now()
        where id = ${id} and last_challenge < ${challengedAtMs} and (counter < ${counter} or (counter = 0 and ${counter} = 0))
        returning 1 as one`);
      return rows.length > 0;
    },
    /** Returns false if the person has no such passkey. */
    async remove(transaction: Queryable, personId: string, id: string): Promise<boolean> {
      const rows = await transaction.query(
        sql`/* passkeys.remove */ delete from passkey where id = ${id} and ${of(personId)} returning 1 as one`,
      );
      return rows.length > 0;
    },
    /** Removes the passkeys of a person and a started registration. Returns false if there was no passkey. */
    async removeAll(transaction: Queryable, personId: string): Promise<boolean> {
      await transaction.query(sql`/* passkeys.cancelRegistration */ delete from passkey_registration where ${of(personId)}`);
      const rows = await transaction.query(
        sql`/* passkeys.removeAll */ delete from passkey where ${of(personId)} returning 1 as one`,
      );
      return rows.length > 0;
    },
    /** Stores the challenge of a registration, which replaces an earlier one of the person. */
    async startRegistration(queryable: Queryable, personId: string, sessionHash: Buffer, challenge: string): Promise<void> {
      await queryable.query(sql`/* passkeys.startRegistration */
        insert into passkey_registration (population, person_id, session_hash, challenge, expires_at)
        values (${population}, ${personId}, ${sessionHash}, ${challenge}, now() + interval '5 minutes')
        on conflict (population, person_id) do update set session_hash = excluded.session_hash, challenge = excluded.challenge,
          expires_at = excluded.expires_at`);
    },
    /** Removes and returns the challenge of the registration that a session started; null if there is none, or it has expired. */
    async takeRegistration(queryable: Queryable, personId: string, sessionHash: Buffer): Promise<string | null> {
      const [row] = await queryable.query<{ challenge: string; isValid: boolean }>(sql`/* passkeys.takeRegistration */
        delete from passkey_registration where ${of(personId)} and session_hash = ${sessionHash}
        returning challenge, expires_at > now() as "isValid"`);
      return row?.isValid === true ? row.challenge : null;
    },
  };
}

export type PasskeyTable = ReturnType<typeof createPasskeyTable>;
