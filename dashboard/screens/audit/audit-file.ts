/** The audit log as a file: JSON, or CSV that a spreadsheet may open. */
import type { AuditEntry } from './audit-query.tsx';

const columns: readonly (readonly [name: string, of: (entry: AuditEntry) => string | number | null])[] = [
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
];

/**
 * A cell of CSV (RFC 4180). Texts that a spreadsheet would take for a formula begin with an apostrophe
 * (https://owasp.org/www-community/attacks/CSV_Injection).
 */
function cellOf(value: string | number | null): string {
  const text = String(value ?? '');
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return `"${harmless.replaceAll('"', '""')}"`;
}

export const csvOf = (entries: readonly AuditEntry[]): string =>
  [columns.map(([name]) => name).join(','), ...entries.map((entry) => columns.map(([, of]) => cellOf(of(entry))).join(','))]
    .map((line) => `${line}\r\n`)
    .join('');

export const jsonOf = (entries: readonly AuditEntry[]): string => `${JSON.stringify(entries, null, 2)}\n`;

/** Hands a text to the browser as a file. */
export function saveAs(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
