/** Exports the filtered audit log as a CSV or JSON file. */
import { csvType } from '../../components/csv.ts';
import { ListExport, type ExportPage } from '../../components/list-export.tsx';
import type { AuditEntriesQuery, AuditFilter } from '../../generated/graphql.ts';
import { runOperation } from '../../graph/operations.ts';
import { auditCsvOf, auditJsonOf } from './audit-file.ts';
import { auditQuery, type AuditEntry } from './audit-query.ts';

const pageLength = 100;

const formats = [
  { name: 'csv', label: 'CSV', type: csvType, textOf: auditCsvOf },
  { name: 'json', label: 'JSON', type: 'application/json', textOf: auditJsonOf },
] as const;

export function AuditExport({ filter }: { readonly filter: AuditFilter }) {
  const readPage = async (after: string | null, signal: AbortSignal): Promise<ExportPage<AuditEntry> | null> => {
    const data: AuditEntriesQuery = await runOperation(auditQuery, { first: pageLength, after, filter }, { signal });
    return data.auditEntries;
  };
  return (
    <ListExport
      title="Export audit log"
      fileName="audit"
      one="entry"
      many="entries"
      advice="To export older entries, filter by date."
      formats={formats}
      readPage={readPage}
    />
  );
}
