/** Exports audit log entries as JSON, or as CSV that is safe to open in a spreadsheet. */
import { resourceNameOf, type AuditEntry } from './audit-query.ts';

const columns: readonly (readonly [name: string, valueOf: (entry: AuditEntry) => string | number | null])[] = [
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

/**
 * A CSV cell (RFC 4180). An apostrophe precedes text that a spreadsheet would evaluate as a formula
 * (https://owasp.org/www-community/attacks/CSV_Injection).
 */
function cellOf(value: string | number | null): string {
  const text = String(value ?? '');
  const escaped = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return `"${escaped.replaceAll('"', '""')}"`;
}

export const csvOf = (entries: readonly AuditEntry[]): string =>
  [
    columns.map(([name]) => name).join(','),
    ...entries.map((entry) => columns.map(([, valueOf]) => cellOf(valueOf(entry))).join(',')),
  ]
    .map((line) => `${line}\r\n`)
    .join('');

export const jsonOf = (entries: readonly AuditEntry[]): string => `${JSON.stringify(entries, null, 2)}\n`;

/** Downloads a text as a file. */
export function downloadFile(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
