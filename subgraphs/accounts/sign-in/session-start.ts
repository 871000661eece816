/** Shared steps of all sign-in methods: read the credentials, act as the administrator, and start the session. */
import { sql, type Database, type Queryable, type Sql } from '../../../platform/database/database.ts';
import type { Writer, WriteContext, WriteTransaction } from '../../../platform/writes/write.ts';
import { Problem } from '../../../schema/errors.ts';
import { administratorViewer } from '../../../schema/viewer.ts';
import type { SignInClient, SignInMethod } from '../generated/resolvers.ts';
import { createToken, insertSession, type SessionRow } from '../administrators/sessions.ts';
import { recordHistory, type HistoryRecord } from '../administrators/row-changes.ts';
import { administrators, type AdministratorRow } from '../administrators/rows.ts';

/** A new session and the token for the browser. */
export interface NewSession {
  readonly token: string;
  readonly session: SessionRow;
}

export interface AdministratorCredentials {
  readonly row: AdministratorRow;
  readonly passwordHash: string | null;
}

export const signInFailed = (detail: string): Problem => new Problem('sign_in_failed', detail);

/** The context of a write by the administrator who signs in. */
export const actingAs = ({ id, role }: Pick<AdministratorRow, 'id' | 'role'>, address: string): WriteContext => ({
  viewer: administratorViewer({ id, role, address }),
  notes: {},
});

/** An administrator with the password hash, which must not leave the sign-in code. */
export async function readCredentials(queryable: Queryable, where: Sql): Promise<AdministratorCredentials | null> {
  const [found] = await queryable.query<AdministratorRow & { readonly passwordHash: string | null }>(
    sql`/* administrators.credentials */ select ${administrators.columns}, password_hash as "passwordHash" from administrator where ${where}`,
  );
  if (!found) return null;
  const { passwordHash, ...row } = found;
  return { row, passwordHash };
}

/** A write whose result is not a resource. */
export async function writeResult<Result>(
  writer: Writer,
  context: WriteContext,
  work: (transaction: WriteTransaction) => Promise<Result>,
): Promise<Result> {
  const { result } = await writer.write(context, async (transaction) => ({ id: '', result: await work(transaction) }));
  return result;
}

/** Starts a session in the transaction that verified the credentials. */
export async function startSession(
  transaction: WriteTransaction,
  row: AdministratorRow,
  client: SignInClient,
  signedInBy: SignInMethod,
  record: HistoryRecord = { action: 'signed_in' },
): Promise<NewSession> {
  const { token, hash } = createToken();
  const session = await insertSession(transaction, hash, { administratorId: row.id, signedInBy }, client);
  // without a new version: a sign-in must not conflict with an edit of the administrator
  await transaction.query(
    sql`/* administrators.signedIn */ update administrator set last_signed_in_at = ${session.createdAt} where id = ${row.id}`,
  );
  recordHistory(transaction, row, row, record);
  return { token, session };
}

/** A new administrator's ID, known before the insert so that history names the administrator as the actor. */
export async function newAdministratorId(database: Database): Promise<string> {
  const [row] = await database.query<{ id: string }>(sql`/* administrators.newId */ select uuidv7() as id`);
  if (!row) throw new Error('uuidv7 returned no row');
  return row.id;
}
