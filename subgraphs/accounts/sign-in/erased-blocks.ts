/** Blocks of erased people: they are not admitted again by a provider, a registration or a member, until an administrator invites them. */
import { createHmac } from 'node:crypto';
import { raw, sql, type Queryable } from '../../../platform/database/database.ts';
import { validKeys } from '../../../platform/security/secrets.ts';
import type { AreaServices } from '../../runtime/subgraph.ts';
import { emailOf } from './email.ts';
import type { Population } from './population.ts';

/** The purpose of the key that hashes what identified erased people (wiring/keys.ts). */
const erasedPersonPurpose = 'erased-person/1';

/** What a person signs in with. */
interface Identification {
  readonly email?: string | null | undefined;
  readonly issuer?: string | null | undefined;
  readonly subject?: string | null | undefined;
}

type Blocked = Pick<Population, 'name' | 'table'>;

const factsOf = ({ email, issuer, subject }: Identification): string[] => [
  ...(email ? [JSON.stringify(['email', emailOf(email).toLowerCase()])] : []),
  ...(issuer && subject ? [JSON.stringify(['identity', issuer, subject])] : []),
];

export type ErasedBlocks = ReturnType<typeof createErasedBlocks>;

/** The blocks of both populations. Throws Error without secrets, from which the key is derived. */
export function createErasedBlocks({ secrets }: Pick<AreaServices, 'secrets'>) {
  if (!secrets) throw new Error('The accounts area requires `secrets` to recognize erased people.');

  const hashesOf = (key: Buffer, identification: Identification): Buffer[] =>
    factsOf(identification).map((fact) => createHmac('sha256', key).update(fact).digest());
  /** During a rotation of SECRET a block may have the previous key. */
  const validHashes = (identification: Identification): Buffer[] =>
    validKeys(secrets, erasedPersonPurpose).flatMap((key) => hashesOf(key, identification));

  return {
    /** Blocks a person. Call it before the erasure removes the address and the identity. */
    async add(transaction: Queryable, { name, table }: Blocked, { id, email }: { readonly id: string; readonly email: string }) {
      const [identity] = await transaction.query<Identification>(sql`/* erasedBlocks.identity */
        select oidc_issuer as issuer, oidc_subject as subject from ${raw(table)} where id = ${id}`);
      const hashes = hashesOf(secrets.derive(erasedPersonPurpose), { email, ...identity });
      await transaction.query(sql`/* erasedBlocks.add */
        insert into erased_person_block (population, hash, person_id) select ${name}, unnest(${hashes}::bytea[]), ${id}`);
    },
    /** Whether an erased person had the address or the identity. */
    async has(queryable: Queryable, { name }: Pick<Blocked, 'name'>, identification: Identification): Promise<boolean> {
      const [row] = await queryable.query(sql`/* erasedBlocks.has */
        select from erased_person_block where population = ${name} and hash = any(${validHashes(identification)}::bytea[]) limit 1`);
      return row !== undefined;
    },
    /** Removes the blocks of the people who had an address. */
    async lift(transaction: Queryable, { name }: Pick<Blocked, 'name'>, email: string): Promise<void> {
      await transaction.query(sql`/* erasedBlocks.lift */ delete from erased_person_block b using erased_person_block e
        where e.population = ${name} and e.hash = any(${validHashes({ email })}::bytea[]) and b.person_id = e.person_id`);
    },
  };
}
