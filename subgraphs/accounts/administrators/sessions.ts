/** Sessions of administrators: the browser stores a token, the table only its hash. */
import { createHash, randomBytes } from 'node:crypto';
import { sql, type Queryable, type Sql } from '../../../platform/database/database.ts';
import { insertInto, table } from '../../../platform/database/table.ts';
import type { AreaServices, BatchRead } from '../../runtime/subgraph.ts';
import type { SignInClient, SignInMethod } from '../generated/resolvers.ts';

export interface SessionRow {
  readonly id: string;
  readonly administratorId: string;
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
/** Minimum interval between two updates of the last use. */
const touchEvery = sql`interval '30 seconds'`;

const sessions = table<SessionRow>('administrator_session', {
  id: 'plain',
  administratorId: 'plain',
  createdAt: 'plain',
  lastSeenAt: 'plain',
  expiresAt: 'plain',
  idleExpiresAt: sql`least(administrator_session.expires_at, administrator_session.last_seen_at + ${idle})`,
  touchDue: sql`administrator_session.last_seen_at < now() - ${touchEvery}`,
  address: 'plain',
  userAgent: 'plain',
  signedInBy: 'plain',
});

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

/** Sessions that have not expired, of active administrators. */
const isOpen = sql`administrator_session.expires_at > now() and administrator_session.last_seen_at > now() - ${idle}
  and exists (select from administrator a where a.id = administrator_session.administrator_id and a.status = 'ACTIVE')`;

/** Inserts a session and ends the browser's previous one, which protects against session fixation. */
export async function insertSession(
  transaction: Queryable,
  hash: Buffer,
  owner: { readonly administratorId: string; readonly signedInBy: SignInMethod },
  { address, userAgent, replaces }: SignInClient,
): Promise<SessionRow> {
  if (replaces) await deleteSessions(transaction, sql`token_hash = ${hashToken(replaces)}`);
  const values = { ...owner, address, userAgent: userAgent?.slice(0, 200) ?? null };
  const times = { last_seen_at: sql`now()`, expires_at: sql`now() + ${absolute}`, token_hash: sql`${hash}` };
  const [row] = await transaction.query<SessionRow>(insertInto(sessions, values, times));
  if (!row) throw new Error('insert into administrator_session returned no row');
  return row;
}

/** Deletes sessions. Returns the IDs of their administrators. */
export async function deleteSessions(transaction: Queryable, where: Sql): Promise<string[]> {
  const rows = await transaction.query<{ id: string }>(
    sql`/* sessions.delete */ delete from administrator_session where ${where} returning administrator_id as id`,
  );
  return rows.map(({ id }) => id);
}

/** Reads of sessions over the area's database. */
export function createSessionReads({ database }: AreaServices) {
  const ofAdministrators: BatchRead<string, SessionRow[]> = async (ids) => {
    const rows = await database.query<SessionRow>(sql`/* sessions.ofAdministrators */ select ${sessions.columns}
      from administrator_session where administrator_id = any(${[...ids]}::uuid[]) and ${isOpen}
      order by administrator_session.created_at desc, administrator_session.id desc limit 1000`);
    const byAdministrator = Map.groupBy(rows, ({ administratorId }) => administratorId);
    return ids.map((id) => byAdministrator.get(id) ?? []);
  };

  return {
    ofAdministrators,
    /** The session of a token; null if it has expired or ended. */
    async open(token: string, queryable: Queryable = database): Promise<SessionRow | null> {
      const [row] = await queryable.query<SessionRow>(sql`/* sessions.open */ select ${sessions.columns}
        from administrator_session where token_hash = ${hashToken(token)} and ${isOpen}`);
      return row ?? null;
    },
    /** Updates the time of the last use. Returns null if the session has expired or ended. */
    async touch(token: string): Promise<SessionRow | null> {
      const [row] =
        await database.query<SessionRow>(sql`/* sessions.touch */ update administrator_session set last_seen_at = now()
        where token_hash = ${hashToken(token)} and ${isOpen} returning ${sessions.columns}`);
      return row ?? null;
    },
  };
}

export type SessionReads = ReturnType<typeof createSessionReads>;
