/** Summarizes CPU profiles: the most expensive packages and functions by self time, and the project's functions with their callees. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

interface Node {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  readonly children?: readonly number[];
}

interface Profile {
  readonly nodes: readonly Node[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

const root = join(import.meta.dirname, '..');
const shown = 30;
const waiting = new Set(['(idle)', '(program)', '(root)']);

function placeOf({ functionName, url, lineNumber }: Node['callFrame']): string {
  const file = url.startsWith('file:') ? relative(root, fileURLToPath(url)) : url;
  return `${functionName === '' ? '(anonymous)' : functionName} ${file}${file === '' ? '' : `:${lineNumber + 1}`}`;
}

/** `node_modules/pg`, `platform`, `node:`, or the runtime. */
function packageOf(place: string): string {
  const [, path = ''] = / (\S*)$/.exec(place) ?? [];
  if (path === '') return place.startsWith('(garbage') ? '(garbage collector)' : '(native code)';
  if (path.startsWith('node:')) return 'node:';
  const found = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path) ?? /^([^/]+)/.exec(path);
  return found?.[1] ?? path;
}

interface Spent {
  readonly functions: Map<string, number>;
  readonly packages: Map<string, number>;
  /** The project's functions, with their callees up to the first wait. */
  readonly inclusive: Map<string, number>;
  busy: number;
}

const isOurs = (place: string): boolean => / (?!node:|node_modules\/|\.\.)[\w-]+\S*:\d+$/.test(place);

function spentIn({ nodes, samples, timeDeltas }: Profile): Spent {
  const places = new Map(nodes.map((node) => [node.id, placeOf(node.callFrame)]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const spent: Spent = { functions: new Map(), packages: new Map(), inclusive: new Map(), busy: 0 };
  const add = (to: Map<string, number>, name: string, time: number): void => void to.set(name, (to.get(name) ?? 0) + time);
  samples.forEach((id, index) => {
    const place = places.get(id) ?? '';
    if (waiting.has(place.trim()) || place.startsWith('post node:inspector')) return;
    const time = timeDeltas[index] ?? 0;
    spent.busy += time;
    add(spent.functions, place, time);
    add(spent.packages, packageOf(place), time);
    const callers = new Set<string>();
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) callers.add(places.get(at) ?? '');
    for (const caller of callers) if (isOurs(caller)) add(spent.inclusive, caller, time);
  });
  return spent;
}

function lines(title: string, times: ReadonlyMap<string, number>, busy: number): string[] {
  const sorted = [...times].sort(([, left], [, right]) => right - left).slice(0, shown);
  return [title, ...sorted.map(([name, time]) => `${((100 * time) / busy).toFixed(1).padStart(5)} %  ${name}`)];
}

/** A report for each profile in a folder: shares of the time that the thread was busy. */
export function printHotspots(folder: string): string {
  const files = readdirSync(folder).filter((file) => file.endsWith('.cpuprofile'));
  const reports = files.map((file) => {
    const { functions, packages, inclusive, busy } = spentIn(JSON.parse(readFileSync(join(folder, file), 'utf8')) as Profile);
    return [
      `\n${join(folder, file)}`,
      ...lines('packages, own time', packages, busy),
      ...lines('functions, own time', functions, busy),
      ...lines('our functions, with what they call', inclusive, busy),
    ];
  });
  return reports.flat().join('\n');
}
