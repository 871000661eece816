/** Formats the tables of keys and quotas. */
import { align } from '../../commands/markdown-table.ts';
import { median } from '../measure.ts';
import type { Outage, Phase } from './outages.ts';
import type { StoreFigures } from './measure.ts';

const targetUs = 15;
const targetPerSecond = 20_000;
const targetRevokedMs = 1_000;

const judged = (met: boolean): string => (met ? 'met' : 'MISSED');

function costLines({ store, cost }: StoreFigures): string[][] {
  if (cost === null) return [];
  const loops = cost.loops.map(({ clients, cpuUs, perSecond }) => [
    store,
    `key and quota, ${clients} clients`,
    cpuUs.toFixed(1),
    perSecond.toFixed(0),
    clients === 64
      ? `< ${targetUs} us, ${judged(cpuUs < targetUs)}`
      : clients === 512
        ? `> ${targetPerSecond} per second, ${judged(perSecond > targetPerSecond)}`
        : '',
  ]);
  const routes = cost.routes.flatMap(({ clients, withoutUs, withUs }) => [
    [store, `a route without, ${clients} connections`, withoutUs.toFixed(1), '', ''],
    [store, `the same with, ${clients} connections`, withUs.toFixed(1), '', `${(withUs - withoutUs).toFixed(1)} us more`],
  ]);
  return [...loops, ...routes];
}

function exactLine({ store, exact }: StoreFigures): string {
  if (exact === null) return '';
  const right = exact.filter(({ limit, granted }) => granted === limit).length;
  const limits = exact.map(({ limit }) => limit);
  const requests = exact.reduce((sum, one) => sum + one.requests, 0);
  return `${store}: ${right} of ${exact.length} runs granted exactly the limit (${Math.min(...limits)} to ${Math.max(...limits)}, ${requests} requests).\n`;
}

function revocationLine({ store, revocationsMs }: StoreFigures): string {
  if (revocationsMs === null) return '';
  const most = Math.max(...revocationsMs);
  return `${store}: ${revocationsMs.length} revocations received by another process after ${median(revocationsMs).toFixed(1)} ms (median), at most ${most.toFixed(1)} ms (target < ${targetRevokedMs}, ${judged(most < targetRevokedMs)}).\n`;
}

const phases: readonly Phase[] = ['before', 'away', 'after'];

function outageLines({ what, limit, statuses, granted, counted, routers }: Outage): string {
  const counts = phases.map((phase) => {
    const each = Object.entries(statuses[phase]).map(([status, count]) => `${count} x ${status}`);
    return `${phase}: ${each.join(', ')}`;
  });
  return `${what}. ${counts.join('; ')}. ${granted} granted by ${routers} routers of ${limit}; the counter is ${counted} afterwards.\n`;
}

function rollupLine({ store, rollups }: StoreFigures): string {
  if (rollups === null) return '';
  const { requests, rows, equal, killed, granularitiesAgree } = rollups;
  return `${store}: ${requests} requests; ${equal} of ${rows} rows of the log are in the rollups to the request, minutes to months ${granularitiesAgree ? 'agree' : 'DISAGREE'}. The process that was killed had returned ${killed.responded}, ${killed.lastInterval} of them in its last five seconds; ${killed.lost} are lost.\n`;
}

/** The results in Markdown. */
export function printQuotas(figures: readonly StoreFigures[]): string {
  const lines = figures.flatMap(costLines);
  const table = lines.length === 0 ? '' : `${align([['counters in', 'what', 'CPU us', 'per second', 'target'], ...lines])}\n\n`;
  return `${table}${figures.map((one) => exactLine(one) + revocationLine(one) + one.outages.map(outageLines).join('') + rollupLine(one)).join('\n')}`;
}
