/** The table of registered documents and its rows. */
import { table } from '../../../platform/database/table.ts';
import type { Page } from '../../../platform/lists/page.ts';
import type { ResourceRow } from '../../../platform/writes/resource.ts';

export interface RegisteredDocumentRow extends ResourceRow {
  /** `sha256:` and the SHA-256 of the text in hex. */
  readonly documentId: string;
  readonly operationName: string | null;
  readonly sizeBytes: number;
}

export type RegisteredDocumentPage = Page<RegisteredDocumentRow>;

/** Without `text`: a column that is not in the row is not copied to the history. */
export const registeredDocuments = table<RegisteredDocumentRow>('registered_document', {
  id: 'plain',
  accountId: 'plain',
  version: 'plain',
  createdAt: 'plain',
  updatedAt: 'plain',
  documentId: 'plain',
  operationName: 'plain',
  sizeBytes: 'plain',
});
