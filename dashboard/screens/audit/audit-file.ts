/** Exports audit log entries as JSON, or as CSV that is safe to open in a spreadsheet. */
import { csvOf, type CsvColumns } from '../../components/csv.ts';
import { resourceNameOf, type AuditEntry } from './audit-query.ts';

const columns: CsvColumns<AuditEntry> = [
  ['id', ({ id }) => id],
  ['at', ({ at }) => at],
  ['area', ({ area }) => area],
  ['resourceType', ({ resourceType }) => resourceType],
  ['resourceId', ({ resourceId }) => resourceId],
  ['version', ({ version }) => version],
  ['action', ({ action }) => action],
  ['actorKind', ({ actor }) => actor.kind],
  ['administratorId', ({ actor }) => actor.administratorId],
  ['administratorName', ({ actor }) => actor.administrator?.name ?? null],
  ['administratorEmail', ({ actor }) => actor.administrator?.email ?? null],
  ['keyId', ({ actor }) => actor.keyId],
  ['accountId', ({ actor }) => actor.accountId],
  ['address', ({ actor }) => actor.address],
  ['reason', ({ reason }) => reason],
  ['changes', ({ changes }) => JSON.stringify(changes)],
  // at the end, so that programs that read columns by position keep working
  ['resourceName', resourceNameOf],
];

export const auditCsvOf = (entries: readonly AuditEntry[]): string => csvOf(columns, entries);

export const auditJsonOf = (entries: readonly AuditEntry[]): string => `${JSON.stringify(entries, null, 2)}\n`;
