/** Reads of registered documents. An account reads its own documents; administrators read all. */
import { sql, type Sql } from '../../../platform/database/database.ts';
import { inOrder } from '../../../platform/database/table.ts';
import { readPage, sortBy } from '../../../platform/lists/page.ts';
import { requireAccount } from '../../../platform/writes/resource.ts';
import { hasFullAccess, owns } from '../../../schema/viewer.ts';
import type { AreaServices, BatchRead, Context } from '../../runtime/subgraph.ts';
import type { QueryRegisteredDocumentsArgs, QueryRegisteredDocumentTextArgs } from '../generated/resolvers.ts';
import { registeredDocuments, type RegisteredDocumentPage, type RegisteredDocumentRow } from './rows.ts';

/** Reads of registered documents over the area's database. */
export function createRegisteredDocumentReads({ database, cursors }: AreaServices) {
  const byId: BatchRead<string, RegisteredDocumentRow | null> = async (ids, { viewer }) => {
    const rows = await database.query<RegisteredDocumentRow>(
      sql`/* registeredDocuments.byIds */ select ${registeredDocuments.columns} from registered_document
        where id = any(${[...ids]}::uuid[])`,
      'PAGE',
    );
    const visible = rows.filter((row) => owns(viewer, row.accountId) || hasFullAccess(viewer));
    return inOrder(ids, visible, (row) => row.id);
  };

  /** The texts of visible documents; null for a document that was deleted in the meantime. */
  const textById: BatchRead<string, string | null> = async (ids) => {
    const rows = await database.query<{ readonly id: string; readonly text: string }>(
      sql`/* registeredDocuments.texts */ select id, text from registered_document where id = any(${[...ids]}::uuid[])`,
      'PAGE',
    );
    return inOrder(ids, rows, (row) => row.id).map((row) => row?.text ?? null);
  };

  return {
    byId,
    textById,
    list({ viewer }: Context, { first, after, filter }: QueryRegisteredDocumentsArgs): Promise<RegisteredDocumentPage> {
      const where: Sql[] = hasFullAccess(viewer) ? [] : [sql`registered_document.account_id = ${requireAccount(viewer)}`];
      if (filter?.ids) where.push(sql`registered_document.id = any(${[...filter.ids]}::uuid[])`);
      if (filter?.documentId) where.push(sql`registered_document.document_id = ${filter.documentId}`);
      const list = {
        name: 'registeredDocuments.list',
        columns: registeredDocuments.columns,
        from: sql`registered_document`,
        id: sql`registered_document.id`,
        where,
        sort: sortBy(registeredDocuments, 'createdAt', 'timestamptz', 'desc'),
        filter: [filter ?? {}],
      };
      return readPage(database, cursors, list, { first: first ?? 20, after });
    },
    /** The text of a document of an account, for the router. */
    async textOf({ accountId, documentId }: QueryRegisteredDocumentTextArgs): Promise<string | null> {
      const [row] = await database.query<{ readonly text: string }>(sql`/* registeredDocuments.textOf */
        select text from registered_document where account_id = ${accountId} and document_id = ${documentId}`);
      return row?.text ?? null;
    },
  };
}

export type RegisteredDocumentReads = ReturnType<typeof createRegisteredDocumentReads>;
