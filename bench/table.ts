/** Formats the table of a benchmark: a line per row, then the ratios with their targets, met or missed. */
import { align } from '../commands/markdown-table.ts';
import type { Measured } from './measure.ts';
import { targets, type Target } from './rows.ts';

export interface Ratio {
  readonly row: string;
  readonly against: string;
  /** CPU time of the row divided by that of the baseline. */
  readonly ratio: number;
  readonly target: string | null;
  readonly met: boolean | null;
}

function judge({ row, against, atMost, cheaper }: Target, ratio: number): Ratio {
  if (atMost !== undefined) return { row, against, ratio, target: `<= ${atMost} x`, met: ratio <= atMost };
  if (cheaper !== undefined) return { row, against, ratio, target: `>= ${cheaper} x cheaper`, met: 1 / ratio >= cheaper };
  return { row, against, ratio, target: null, met: null };
}

/** The ratios for which both rows were measured. */
export function ratiosOf(measured: readonly Measured[]): Ratio[] {
  const cpu = new Map(measured.map(({ name, cpuMs }) => [name, cpuMs]));
  return targets.flatMap((target) => {
    const [own, base] = [cpu.get(target.row), cpu.get(target.against)];
    return own === undefined || base === undefined ? [] : [judge(target, own / base)];
  });
}

const times = (ratio: number): string => (ratio >= 1 ? `${ratio.toFixed(2)} x` : `${(1 / ratio).toFixed(2)} x cheaper`);

/** Both tables as Markdown. */
export function printTable(measured: readonly Measured[]): string {
  const lines = measured.map(({ name, title, cpuMs, rounds, requestsPerSecond, p50Ms, p99Ms }) => [
    name,
    title,
    cpuMs.toFixed(3),
    `${Math.min(...rounds).toFixed(3)}-${Math.max(...rounds).toFixed(3)}`,
    requestsPerSecond.toFixed(0),
    p50Ms.toFixed(1),
    p99Ms.toFixed(1),
  ]);
  const ratios = ratiosOf(measured).map(({ row, against, ratio, target, met }) => [
    row,
    against,
    times(ratio),
    target ?? '',
    met === null ? '' : met ? 'met' : 'MISSED',
  ]);
  const table = align([['row', 'what', 'CPU ms', 'rounds', 'req/s', 'p50 ms', 'p99 ms'], ...lines]);
  if (ratios.length === 0) return table;
  return `${table}\n\n${align([['row', 'against', 'CPU ratio', 'target', ''], ...ratios])}`;
}
