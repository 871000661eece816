/** The table of costs in Markdown: what a unit pays for, most expensive first. */
import { align } from '../../commands/markdown-table.ts';
import type { Attack } from './attack.ts';
import { limitMs, type Costs, type RequestCost } from './measure.ts';

const perUnit = ({ nodeMs, sqlMs, units }: RequestCost): number => (nodeMs + sqlMs) / Math.max(1, units);

export function printCosts({ costs, attack }: Costs): string {
  const rows = costs
    .toSorted((one, other) => perUnit(other) - perUnit(one))
    .map((cost) => [
      `\`${cost.name}\``,
      String(cost.units),
      cost.nodeMs.toFixed(1),
      cost.sqlMs.toFixed(1),
      `${perUnit(cost).toFixed(1)}${perUnit(cost) > limitMs ? ' MISSED' : ''}`,
    ]);
  const table = align([['worst request', 'units', 'Node CPU ms', 'PostgreSQL CPU ms', 'CPU ms per unit'], ...rows], 1);
  if (attack === null) return table;
  const { name, alone, attacked, statuses } = attack;
  const answers = (counts: Readonly<Record<string, number>>): string =>
    Object.entries(counts)
      .map(([status, count]) => `${count} x ${status}`)
      .join(', ');
  const line = (what: string, its: Attack['alone'], target: string): string[] => [
    what,
    answers(its.statuses),
    its.p99Ms.toFixed(1),
    target,
  ];
  const lines = [
    ['50 normal reads per second', 'responses', 'p99 ms', 'target < 2 x'],
    line('alone', alone, ''),
    line(
      `while an address without a key sends \`${name}\` once per second`,
      attacked,
      attacked.p99Ms < 2 * alone.p99Ms ? 'met' : 'MISSED',
    ),
  ];
  return `${table}\n\n${align(lines)}\n\nResponses to the attacker: ${answers(statuses)}.`;
}
