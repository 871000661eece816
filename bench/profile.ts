/** The dearest functions of CPU profiles, by the time they spent themselves. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

interface Node {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
}

interface Profile {
  readonly nodes: readonly Node[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

const root = join(import.meta.dirname, '..');
const shown = 40;
const waiting = new Set(['(idle)', '(program)', '(root)']);

function placeOf({ functionName, url, lineNumber }: Node['callFrame']): string {
  const file = url.startsWith('file:') ? relative(root, fileURLToPath(url)) : url;
  return `${functionName === '' ? '(anonymous)' : functionName} ${file}${file === '' ? '' : `:${lineNumber + 1}`}`;
}

function hotspots({ nodes, samples, timeDeltas }: Profile): string[] {
  const places = new Map(nodes.map((node) => [node.id, placeOf(node.callFrame)]));
  const spent = new Map<string, number>();
  let busy = 0;
  samples.forEach((id, index) => {
    const place = places.get(id) ?? '';
    if (waiting.has(place.trim())) return;
    const delta = timeDeltas[index] ?? 0;
    busy += delta;
    spent.set(place, (spent.get(place) ?? 0) + delta);
  });
  const sorted = [...spent].sort(([, left], [, right]) => right - left).slice(0, shown);
  return sorted.map(([place, time]) => `${((100 * time) / busy).toFixed(1).padStart(5)} %  ${place}`);
}

/** The profiles of a folder, one list each: share of the busy time, function, place. */
export function printHotspots(folder: string): string {
  const files = readdirSync(folder).filter((file) => file.endsWith('.cpuprofile'));
  return files
    .map((file) => [`\n${join(folder, file)}`, ...hotspots(JSON.parse(readFileSync(join(folder, file), 'utf8')) as Profile)])
    .map((lines) => lines.join('\n'))
    .join('\n');
}
