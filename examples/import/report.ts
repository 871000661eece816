/** Counts the results of an import and formats the report. */
import type { Outcome, Rejection, Result } from './row.ts';

export interface Report {
  readonly add: (kind: string, results: readonly Result[]) => void;
  readonly reject: (kind: string, rejections: readonly Rejection[]) => void;
  /** Counts a request. */
  readonly call: () => void;
  /** Counts a repeated request by its reason, such as the error code. */
  readonly retry: (reason: string) => void;
  /** Number of requests, the time so far, and the number of repeated requests by reason. */
  readonly cost: () => string;
  /** The table of counts, one line per kind. */
  readonly summary: () => string;
  /** Number of rejected rows. */
  readonly rejectedCount: () => number;
  /** The first `limit` rejected rows, one line each. */
  readonly rejections: (limit: number) => string;
  /** The rejected rows as JSON lines: kind, place, label, reasons. */
  readonly jsonLines: () => string;
}

type Counts = Record<Outcome, number>;

/** Opens an empty report. */
export function openReport(): Report {
  const counts = new Map<string, Counts>();
  const rejected: (Rejection & { readonly kind: string })[] = [];

  const startedAt = performance.now();
  let calls = 0;
  const retries = new Map<string, number>();

  const countsOf = (kind: string): Counts => {
    const known = counts.get(kind) ?? { CREATED: 0, UPDATED: 0, UNCHANGED: 0, FAILED: 0, VALID: 0 };
    counts.set(kind, known);
    return known;
  };
  const reject = (kind: string, rejections: readonly Rejection[]): void => {
    countsOf(kind).FAILED += rejections.length;
    rejected.push(...rejections.map(({ place, label, reasons }) => ({ kind, place, label, reasons })));
  };
  const add = (kind: string, results: readonly Result[]): void => {
    const kindCounts = countsOf(kind);
    for (const { outcome } of results) if (outcome !== 'FAILED') kindCounts[outcome] += 1;
    const failed = results.filter(({ outcome }) => outcome === 'FAILED');
    reject(
      kind,
      failed.map(({ row, reasons }) => ({ place: row.place, label: row.label, reasons })),
    );
  };
  const summary = (): string => {
    const isCheck = [...counts.values()].some(({ VALID }) => VALID > 0);
    const header = ['', 'rows', ...(isCheck ? ['valid'] : ['created', 'updated', 'unchanged']), 'rejected'];
    const lines = [...counts].map(([kind, { CREATED, UPDATED, UNCHANGED, FAILED, VALID }]) =>
      [kind, CREATED + UPDATED + UNCHANGED + FAILED + VALID, ...(isCheck ? [VALID] : [CREATED, UPDATED, UNCHANGED]), FAILED].map(
        String,
      ),
    );
    return [header, ...lines]
      .map(([kind = '', ...cells]) => kind.padEnd(14) + cells.map((cell) => cell.padStart(11)).join(''))
      .join('\n');
  };
  const rejections = (limit: number): string => {
    const lines = rejected
      .slice(0, limit)
      .map(({ kind, place, label, reasons }) => `  ${kind}, ${place}: ${label || '(no name)'}: ${reasons.join('; ')}`);
    const more = rejected.length - lines.length;
    return [...lines, ...(more > 0 ? [`  … and ${more} more (--rejected FILE writes them all)`] : [])].join('\n');
  };
  const jsonLines = (): string => rejected.map((rejection) => `${JSON.stringify(rejection)}\n`).join('');
  const call = (): void => void (calls += 1);
  const retry = (reason: string): void => void retries.set(reason, (retries.get(reason) ?? 0) + 1);
  const cost = (): string => {
    const repeated = [...retries].map(([reason, count]) => `${count} repeated: ${reason}`);
    return [`${calls} calls in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`, ...repeated].join(', ');
  };
  const rejectedCount = (): number => rejected.length;
  return { add, reject, call, retry, cost, summary, rejectedCount, rejections, jsonLines };
}
