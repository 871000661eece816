/** Writes of registered documents: the router checks them, the account registers and deletes them. */
import { createHash } from 'node:crypto';
import { sql } from '../../../platform/database/database.ts';
import { insertInto } from '../../../platform/database/table.ts';
import { upsertOutcome, writeBatch, type BatchResult } from '../../../platform/writes/batch.ts';
import { requireVersion } from '../../../platform/writes/precondition.ts';
import { requireAccount, resourceNotFound } from '../../../platform/writes/resource.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { checkDocuments, type DocumentCheck } from '../../clients/document-checks.ts';
import type { AreaServices, Context } from '../../runtime/subgraph.ts';
import { accountConstraints } from '../constraints.ts';
import type { MutationDeleteRegisteredDocumentArgs, MutationRegisterDocumentsArgs } from '../generated/resolvers.ts';
import { registeredDocuments, type RegisteredDocumentRow } from './rows.ts';
import { requireValid, requireWithinBounds, type RegisteredTotal } from './rules.ts';

const resourceType = 'registered_document';

interface CheckedDocument {
  readonly text: string;
  readonly documentId: string;
  readonly check: DocumentCheck;
}

const documentIdOf = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;

/** Locks the registrations of an account and returns what it has registered. Concurrent requests of an account wait for each other. */
async function lockTotal(transaction: WriteTransaction, accountId: string): Promise<RegisteredTotal> {
  await transaction.query(
    sql`/* registeredDocuments.lockAccount */ select pg_advisory_xact_lock(hashtextextended('registered_document ' || ${accountId}, 0))`,
  );
  const [total] = await transaction.query<RegisteredTotal>(sql`/* registeredDocuments.total */
    select count(*)::int as documents, coalesce(sum(size_bytes), 0)::int as bytes from registered_document where account_id = ${accountId}`);
  return total ?? { documents: 0, bytes: 0 };
}

async function insertDocument(
  transaction: WriteTransaction,
  accountId: string,
  { text, documentId, check }: CheckedDocument,
): Promise<RegisteredDocumentRow> {
  const values = { accountId, documentId, operationName: check.operationName, sizeBytes: Buffer.byteLength(text) };
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
      // checked before the transaction, so that no connection waits for the router
      const checks = await checkDocuments(
        context,
        items.map(({ text }) => text),
      );
      const documents = items.map(({ text }, index): CheckedDocument => {
        const check = checks[index];
        if (check === undefined) throw new Error('The router did not check every document.');
        return { text, documentId: documentIdOf(text), check };
      });
      let total: RegisteredTotal = { documents: 0, bytes: 0 };
      const request = {
        operation: 'registerDocuments',
        idempotencyKey,
        items: documents,
        orderBy: ({ documentId }: CheckedDocument) => documentId,
        constraints: accountConstraints,
        beforeItems: async (transaction: WriteTransaction) => {
          total = await lockTotal(transaction, accountId);
        },
      };
      return writeBatch(writer, context, request, async (transaction, document) => {
        requireValid(document.check);
        const [known] = await transaction.query<RegisteredDocumentRow>(sql`/* registeredDocuments.known */
          select ${registeredDocuments.columns} from registered_document
          where account_id = ${accountId} and document_id = ${document.documentId}`);
        if (known !== undefined) return upsertOutcome(known, known);
        const bytes = Buffer.byteLength(document.text);
        requireWithinBounds({ documents: total.documents + 1, bytes: total.bytes + bytes });
        const row = await insertDocument(transaction, accountId, document);
        total = { documents: total.documents + 1, bytes: total.bytes + bytes };
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
