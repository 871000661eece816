/** Writes of registered documents: the router checks them, the account registers and deletes them. */
import { createHash } from 'node:crypto';
import { sql } from '../../../platform/database/database.ts';
import { insertInto } from '../../../platform/database/table.ts';
import { upsertOutcome, writeBatch, type BatchResult } from '../../../platform/writes/batch.ts';
import { requireVersion } from '../../../platform/writes/precondition.ts';
import { requireAccount, resourceNotFound } from '../../../platform/writes/resource.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { checkDocuments } from '../../clients/document-checks.ts';
import type { AreaServices, Context } from '../../runtime/subgraph.ts';
import { accountConstraints } from '../constraints.ts';
import type { MutationDeleteRegisteredDocumentArgs, MutationRegisterDocumentsArgs } from '../generated/resolvers.ts';
import { registeredDocuments, type RegisteredDocumentRow } from './rows.ts';
import { requireWithinBounds, validNameOf, type RegisteredTotal } from './rules.ts';

const resourceType = 'registered_document';

/** What an account has registered before a batch. */
interface Registered {
  total: RegisteredTotal;
  /** The documents of the batch that are registered, by their document id. */
  readonly known: Map<string, RegisteredDocumentRow>;
}

const documentIdOf = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;

/** Locks the registrations of an account and reads them. Concurrent requests of an account wait for each other. */
async function lockRegistered(
  transaction: WriteTransaction,
  accountId: string,
  documentIds: readonly string[],
): Promise<Registered> {
  await transaction.query(
    sql`/* registeredDocuments.lockAccount */ select pg_advisory_xact_lock(hashtextextended('registered_document ' || ${accountId}, 0))`,
  );
  const [total = { documents: 0, bytes: 0 }] = await transaction.query<RegisteredTotal>(sql`/* registeredDocuments.total */
    select count(*)::int as documents, coalesce(sum(size_bytes), 0)::int as bytes from registered_document where account_id = ${accountId}`);
  const rows = await transaction.query<RegisteredDocumentRow>(sql`/* registeredDocuments.known */
    select ${registeredDocuments.columns} from registered_document
    where account_id = ${accountId} and document_id = any(${[...documentIds]})`);
  return { total, known: new Map(rows.map((row) => [row.documentId, row])) };
}

async function insertDocument(
  transaction: WriteTransaction,
  text: string,
  values: Pick<RegisteredDocumentRow, 'accountId' | 'documentId' | 'operationName' | 'sizeBytes'>,
): Promise<RegisteredDocumentRow> {
  const [row] = await transaction.query<RegisteredDocumentRow>(insertInto(registeredDocuments, values, { text: sql`${text}` }));
  if (!row) throw new Error('insert into registered_document returned no row');
  transaction.record({ action: 'registered', event: null, resourceType, before: null, after: row });
  return row;
}

/** Writes of registered documents over the area's database. */
export function createRegisteredDocumentWrites({ writer }: AreaServices) {
  return {
    /**
     * Registers documents. Items fail with validation_failed (an invalid document), query_too_complex, query_too_deep, token_limit or
     * payload_too_large (a document that the router would reject), or conflict (too many documents).
     */
    async register(context: Context, { items, idempotencyKey }: MutationRegisterDocumentsArgs): Promise<BatchResult> {
      const accountId = requireAccount(context.viewer);
      const texts = items.map(({ text }) => text);
      // checked before the transaction, so that no connection waits for the router
      const checks = await checkDocuments(context, texts);
      const checkOf = new Map(texts.map((text, index) => [text, checks[index]]));
      let registered: Registered = { total: { documents: 0, bytes: 0 }, known: new Map() };
      const request = {
        operation: 'registerDocuments',
        idempotencyKey,
        items: texts,
        orderBy: documentIdOf,
        constraints: accountConstraints,
        beforeItems: async (transaction: WriteTransaction) => {
          registered = await lockRegistered(transaction, accountId, texts.map(documentIdOf));
        },
      };
      return writeBatch(writer, context, request, async (transaction, text) => {
        const operationName = validNameOf(checkOf.get(text));
        const documentId = documentIdOf(text);
        const known = registered.known.get(documentId);
        if (known !== undefined) return upsertOutcome(known, known);
        const sizeBytes = Buffer.byteLength(text);
        const { documents, bytes } = registered.total;
        const total = { documents: documents + 1, bytes: bytes + sizeBytes };
        requireWithinBounds(total);
        const row = await insertDocument(transaction, text, { accountId, documentId, operationName, sizeBytes });
        registered.total = total;
        registered.known.set(documentId, row);
        return upsertOutcome(null, row);
      });
    },
    /** Throws Problem not_found (404) for a document of another account or none, or precondition_failed (412). */
    remove(context: Context, { id, ifMatch }: MutationDeleteRegisteredDocumentArgs): Promise<RegisteredDocumentRow> {
      const accountId = requireAccount(context.viewer);
      return writer.write(context, async (transaction) => {
        const [row] = await transaction.query<RegisteredDocumentRow>(sql`/* registeredDocuments.lock */
          select ${registeredDocuments.columns} from registered_document
          where id = ${id} and account_id = ${accountId} for update`);
        if (row === undefined) throw resourceNotFound(resourceType, id);
        requireVersion(ifMatch, row.version);
        await transaction.query(sql`/* registeredDocuments.delete */ delete from registered_document where id = ${id}`);
        transaction.record({ action: 'deleted', event: null, resourceType, before: row, after: null });
        return row;
      });
    },
  };
}
