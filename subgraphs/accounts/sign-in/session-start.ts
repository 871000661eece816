/** Shared steps of all sign-in methods: act as the person, and start the session. */
import { raw, sql, type Database } from '../../../platform/database/database.ts';
import type { Writer, WriteContext, WriteTransaction } from '../../../platform/writes/write.ts';
import type { SignInClient, SignInMethod } from '../generated/resolvers.ts';
import type { HistoryRecord } from '../recorded-rows.ts';
import type { PersonRow, Population } from './population.ts';
import { createToken, type SessionRow } from './sessions.ts';

/** A new session and the token for the browser. */
export interface NewSession {
  readonly token: string;
  readonly session: SessionRow;
}

/** The context of a write by the person who signs in. */
export const actingAs = (
  population: Population,
  person: Parameters<Population['viewerOf']>[0],
  address: string,
): WriteContext => ({ viewer: population.viewerOf(person, address), notes: {} });

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
  population: Population,
  row: PersonRow,
  client: SignInClient,
  signedInBy: SignInMethod,
  record: HistoryRecord = { action: 'signed_in' },
): Promise<NewSession> {
  const { token, hash } = createToken();
  const session = await population.sessions.insert(transaction, hash, row.id, signedInBy, client);
  // without a new version: a sign-in must not conflict with an edit of the person
  await transaction.query(sql`/* persons.signedIn */ update ${raw(population.table)}
    set last_signed_in_at = ${session.createdAt} where id = ${row.id}`);
  population.record(transaction, row, record);
  return { token, session };
}

/** A new person's ID, known before the insert so that history names the person as the actor. */
export async function newPersonId(database: Database): Promise<string> {
  const [row] = await database.query<{ id: string }>(sql`/* persons.newId */ select uuidv7() as id`);
  if (!row) throw new Error('uuidv7 returned no row');
  return row.id;
}
