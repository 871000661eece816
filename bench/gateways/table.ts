/** Formats the result of `npm run bench -- --gateways`: a line per gateway, then the targets of the platform, met or missed. */
import { align } from '../../commands/markdown-table.ts';
import type { MeasuredGateway } from './measure.ts';

const mostFetches = 7;
const mostMebibytes = 300;

/** Other gateways by name: CPU time as a multiple of ours, and whether a target requires ours to be cheaper. */
const against = [
  ['ours', 'peer', true],
  ['ours-http', 'peer-http', true],
  ['ours', 'stock', false],
  ['ours-http', 'stock-http', false],
] as const;

const verdictOf = (met: boolean): string => (met ? 'met' : 'MISSED');

/** Both tables as Markdown. */
export function printGateways(measured: readonly MeasuredGateway[]): string {
  const find = (wanted: string): MeasuredGateway | undefined => measured.find(({ name }) => name === wanted);
  const lines = measured.map((row) => [
    row.name,
    row.title,
    row.cpuMs.toFixed(2),
    `${Math.min(...row.rounds).toFixed(2)}-${Math.max(...row.rounds).toFixed(2)}`,
    (1000 / row.cpuMs).toFixed(0),
    row.areasCpuMs === 0 ? '' : row.areasCpuMs.toFixed(2),
    row.fetches.toFixed(0),
    row.peakMebibytes.toFixed(0),
    row.p50Ms.toFixed(0),
    row.p99Ms.toFixed(0),
  ]);
  const ratios = against.flatMap(([own, other, mustBeCheaper]) => {
    const [ours, theirs] = [find(own), find(other)];
    if (ours === undefined || theirs === undefined) return [];
    const times = theirs.cpuMs / ours.cpuMs;
    const judged = mustBeCheaper ? ['> 1 x', verdictOf(times > 1)] : ['', ''];
    return [[own, `requests per core, against ${other}`, `${times.toFixed(2)} x`, ...judged]];
  });
  const bounds = ['ours', 'ours-http'].flatMap((name) => {
    const row = find(name);
    if (row === undefined) return [];
    return [
      [name, 'queries to areas', row.fetches.toFixed(0), `<= ${mostFetches}`, verdictOf(row.fetches <= mostFetches)],
      [
        name,
        'most memory, MiB',
        row.peakMebibytes.toFixed(0),
        `< ${mostMebibytes}`,
        verdictOf(row.peakMebibytes < mostMebibytes),
      ],
    ];
  });
  const head = ['row', 'what', 'CPU ms', 'rounds', 'req/core', 'areas CPU ms', 'fetches', 'MiB', 'p50 ms', 'p99 ms'];
  const table = align([head, ...lines]);
  return ratios.length + bounds.length === 0
    ? table
    : `${table}\n\n${align([['row', 'what', '', 'target', ''], ...ratios, ...bounds])}`;
}
