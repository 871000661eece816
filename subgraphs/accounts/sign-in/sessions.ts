/** Sessions: the browser stores a token, the table only its hash. Each population has its own table. */
import { createHash, randomBytes } from 'node:crypto';
import { raw, sql, type Queryable, type Sql } from '../../../platform/database/database.ts';
import { insertInto, table } from '../../../platform/database/table.ts';
import { isNetworkLabel } from '../../../platform/security/network-label.ts';
import type { BatchRead } from '../../runtime/subgraph.ts';
import type { Population as PopulationName, SignInClient, SignInMethod } from '../generated/resolvers.ts';

export interface SessionRow {
  readonly id: string;
  readonly population: PopulationName;
  readonly personId: string;
  readonly createdAt: string;
  readonly lastSeenAt: string;
  readonly expiresAt: string;
  readonly idleExpiresAt: string;
  /** Whether the time of the last use should be updated. */
  readonly touchDue: boolean;
  readonly address: string;
  readonly userAgent: string | null;
  readonly signedInBy: SignInMethod;
}

const idle = sql`interval '30 minutes'`;
const absolute = sql`interval '12 hours'`;
/** Sessions of a person at once; a further sign-in ends the oldest. */
const sessionsMax = 20;
/** Minimum interval between two updates of the last use. */
const touchEvery = sql`interval '30 seconds'`;

/** A token and the hash that is stored. */
export interface Token {
  readonly token: string;
  readonly hash: Buffer;
}

/** Creates a token of 256 random bits; it cannot be guessed, so a plain hash is sufficient. */
export function createToken(): Token {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: hashToken(token) };
}

export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

interface SessionTableNames {
  readonly population: PopulationName;
  /** Name of the table. */
  readonly name: string;
  /** Column of the person, and the table of persons. */
  readonly owner: string;
  readonly persons: string;
}

/** The sessions of one population. */
export function createSessionTable({ population, name, owner, persons }: SessionTableNames) {
  const sessions = table<SessionRow>(name, {
    id: 'plain',
    population: sql`${population}::text`,
    personId: raw(`${name}.${owner}`),
    createdAt: 'plain',
    lastSeenAt: 'plain',
    expiresAt: 'plain',
    idleExpiresAt: sql`least(${raw(name)}.expires_at, ${raw(name)}.last_seen_at + ${idle})`,
    touchDue: sql`${raw(name)}.last_seen_at < now() - ${touchEvery}`,
    address: 'plain',
    userAgent: 'plain',
    signedInBy: 'plain',
  });
  const [from, person] = [raw(name), raw(owner)];

  /** Sessions that have not expired, of active persons. */
  const isOpen = sql`${from}.expires_at > now() and ${from}.last_seen_at > now() - ${idle}
    and exists (select from ${raw(persons)} p where p.id = ${from}.${person} and p.status = 'ACTIVE')`;

  async function remove(transaction: Queryable, where: Sql): Promise<string[]> {
    const rows = await transaction.query<{ id: string }>(
      sql`/* sessions.delete */ delete from ${from} where ${where} returning ${person} as id`,
    );
    return rows.map(({ id }) => id);
  }

  return {
    /** Inserts a session and ends the browser's previous one, which protects against session fixation, and the oldest ones above the limit. */
    async insert(
      transaction: Queryable,
      hash: Buffer,
      personId: string,
      signedInBy: SignInMethod,
      { address, userAgent, replaces }: SignInClient,
    ): Promise<SessionRow> {
      if (replaces) await remove(transaction, sql`token_hash = ${hashToken(replaces)}`);
      const oldest = sql`select id from ${from} where ${person} = ${personId} order by created_at desc, id desc offset ${sessionsMax - 1}`;
      await remove(transaction, sql`id in (${oldest})`);
      const values = {
        signedInBy,
        address: isNetworkLabel(address) ? address : 'unknown',
        userAgent: userAgent?.slice(0, 200) ?? null,
      };
      const computed = {
        [owner]: sql`${personId}`,
        last_seen_at: sql`now()`,
        expires_at: sql`now() + ${absolute}`,
        token_hash: sql`${hash}`,
      };
      const [row] = await transaction.query<SessionRow>(insertInto(sessions, values, computed));
      if (!row) throw new Error(`insert into ${name} returned no row`);
      return row;
    },
    /** Deletes the session of a token. Returns the IDs of the persons. */
    endOfToken: (transaction: Queryable, token: string) => remove(transaction, sql`token_hash = ${hashToken(token)}`),
    /** Deletes a session by its ID; of one person only, if it is given. */
    endById: (transaction: Queryable, id: string, personId: string | null = null) =>
      remove(transaction, personId === null ? sql`id = ${id}` : sql`id = ${id} and ${person} = ${personId}`),
    /** Deletes the sessions of a person, except that of a token hash. */
    endOfPerson: (transaction: Queryable, personId: string, except: Buffer | null = null) =>
      remove(transaction, sql`${person} = ${personId} and token_hash is distinct from ${except}`),
    /** Open sessions of persons, newest first. */
    ofPersons(database: Queryable): BatchRead<string, SessionRow[]> {
      return async (ids) => {
        const rows = await database.query<SessionRow>(sql`/* sessions.ofPersons */ select ${sessions.columns}
          from ${from} where ${person} = any(${[...ids]}::uuid[]) and ${isOpen}
          order by ${from}.created_at desc, ${from}.id desc limit 1000`);
        const byPerson = Map.groupBy(rows, ({ personId }) => personId);
        return ids.map((id) => byPerson.get(id) ?? []);
      };
    },
    /** The session of a token; null if it has expired or ended. */
    async open(queryable: Queryable, token: string): Promise<SessionRow | null> {
      const [row] = await queryable.query<SessionRow>(sql`/* sessions.open */ select ${sessions.columns}
        from ${from} where token_hash = ${hashToken(token)} and ${isOpen}`);
      return row ?? null;
    },
    /** Updates the time of the last use. Returns null if the session has expired or ended. */
    async touch(database: Queryable, token: string): Promise<SessionRow | null> {
      const [row] = await database.query<SessionRow>(sql`/* sessions.touch */ update ${from} set last_seen_at = now()
        where token_hash = ${hashToken(token)} and ${isOpen} returning ${sessions.columns}`);
      return row ?? null;
    },
  };
}

export type SessionTable = ReturnType<typeof createSessionTable>;
