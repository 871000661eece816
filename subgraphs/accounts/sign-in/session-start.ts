/** What every way in has in common: who acts, the row with its secret, and the session that begins. */
import { sql, type Queryable, type Sql } from '../../../platform/database/database.ts';
import type { Writer, WriteContext, WriteTransaction } from '../../../platform/writes/write.ts';
import { Problem } from '../../../schema/errors.ts';
import { administratorViewer } from '../../../schema/viewer.ts';
import type { SignInClient, SignInMethod } from '../resolvers.generated.ts';
import { createToken, insertSession, type SessionRow } from '../administrators/sessions.ts';
import { administrators, note, type AdministratorRow, type Happened } from '../administrators/reads.ts';

/** A session that began, with what the browser is to hold. */
export interface Started {
  readonly token: string;
  readonly session: SessionRow;
}

export interface AdministratorSecret {
  readonly row: AdministratorRow;
  readonly passwordHash: string | null;
}

export const signInFailed = (detail: string): Problem => new Problem('sign_in_failed', detail);

/** Somebody acts on the own behalf, from an address. */
export const actingAs = ({ id, role }: Pick<AdministratorRow, 'id' | 'role'>, address: string): WriteContext => ({
  viewer: administratorViewer({ id, role, address }),
  notes: {},
});

/** An administrator with the hash of the password, which goes no further than who checks it. */
export async function readSecret(queryable: Queryable, where: Sql): Promise<AdministratorSecret | null> {
  const [found] = await queryable.query<AdministratorRow & { readonly passwordHash: string | null }>(
    sql`/* administrators.secret */ select ${administrators.columns}, password_hash as "passwordHash" from administrator where ${where}`,
  );
  if (!found) return null;
  const { passwordHash, ...row } = found;
  return { row, passwordHash };
}

/** One write whose result is no resource. */
export async function writeResult<Result>(
  writer: Writer,
  context: WriteContext,
  work: (transaction: WriteTransaction) => Promise<Result>,
): Promise<Result> {
  const { result } = await writer.write(context, async (transaction) => ({ id: '', result: await work(transaction) }));
  return result;
}

/** Begins a session, in the transaction that found somebody to be who they say. */
export async function startSession(
  transaction: WriteTransaction,
  row: AdministratorRow,
  client: SignInClient,
  signedInBy: SignInMethod,
  happened: Happened = { action: 'signed_in' },
): Promise<Started> {
  const { token, hash } = createToken();
  const session = await insertSession(transaction, hash, { administratorId: row.id, signedInBy }, client);
  // no change of the resource: who edits it meanwhile is not refused for it
  await transaction.query(
    sql`/* administrators.signedIn */ update administrator set last_signed_in_at = ${session.createdAt} where id = ${row.id}`,
  );
  note(transaction, row, row, happened);
  return { token, session };
}
