/** Profiles a process with `perf` (Linux): samples of CPU time in all threads and in the kernel, unlike V8's profiler, which also counts waiting. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Options with which Node.js names its functions to perf, in /tmp/perf-PID.map. */
export const profiledNodeOptions = ['--perf-basic-prof', '--interpreted-frames-native-stack'];

/** Samples per second and thread; a prime number does not follow timers. */
const samplesPerSecond = 997;

/** Records a process to `<name>.<pid>.perf` in a folder until the returned function is called. Rejects when perf cannot record it. */
export async function recordProfile(pid: number, folder: string, name: string): Promise<() => Promise<void>> {
  const file = join(folder, `${name}.${pid}.perf`);
  const options = ['record', '--freq', String(samplesPerSecond), '--call-graph', 'fp', '--pid', String(pid), '--output', file];
  const recorder = spawn('perf', options, { stdio: 'ignore' });
  const ended = once(recorder, 'exit');
  await once(recorder, 'spawn').catch((cause: unknown) => {
    throw new Error('`--profile` needs `perf`. Install it, for example: apt-get install linux-perf', { cause });
  });
  return async () => {
    recorder.kill('SIGINT');
    await ended;
  };
}

const root = join(import.meta.dirname, '..');
const shown = 30;

/** A frame: `function file:line` for JavaScript, `[kernel] name`, or the name of a native function. */
function placeOf(symbol: string, module: string): string {
  const script = /^JS:[\^~*+']*(.*)$/.exec(symbol)?.[1];
  if (script === undefined) return module.includes('kernel') ? `[kernel] ${symbol}` : symbol;
  return script.replaceAll('file://', '').replaceAll(`${root}/`, '').replace(/^ /, '(anonymous) ').replace(/:\d+$/, '');
}

/** `node_modules/pg`, `platform`, `node:`, the kernel, or the runtime: the innermost JavaScript of a stack names who caused the work. */
function packageOf(places: readonly string[]): string {
  if (places[0]?.startsWith('[kernel]') === true) return '[kernel]';
  const path =
    places
      .find((place) => /\S+:\d+$/.test(place))
      ?.split(' ')
      .at(-1) ?? '';
  if (path === '') return '(runtime: garbage collection, compiler, libuv)';
  if (path.startsWith('node:')) return 'node:';
  return /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? /^([^/]+)/.exec(path)?.[1] ?? path;
}

const isOurs = (place: string): boolean => /^\S* (?!node:|node_modules\/)[\w-]+\/\S*:\d+$/.test(place);

interface Samples {
  readonly functions: Map<string, number>;
  readonly packages: Map<string, number>;
  /** The project's functions, with their callees up to the first wait. */
  readonly inclusive: Map<string, number>;
  count: number;
}

const increment = (counts: Map<string, number>, name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1);

/** Reads the output of `perf script`: a block of lines per sample, innermost frame first. */
function samplesIn(text: string): Samples {
  const samples: Samples = { functions: new Map(), packages: new Map(), inclusive: new Map(), count: 0 };
  for (const block of text.split(/\n\n+/)) {
    const places = [...block.matchAll(/^\s+[0-9a-f]+ (.*?)(?:\+0x[0-9a-f]+)? \((\S*)\)$/gm)].map(([, symbol = '', module = '']) =>
      placeOf(symbol, module),
    );
    const [innermost] = places;
    if (innermost === undefined) continue;
    samples.count += 1;
    increment(samples.functions, innermost);
    increment(samples.packages, packageOf(places));
    for (const place of new Set(places)) if (isOurs(place)) increment(samples.inclusive, place);
  }
  return samples;
}

function lines(title: string, counts: ReadonlyMap<string, number>, total: number): string[] {
  const sorted = [...counts].sort(([, left], [, right]) => right - left).slice(0, shown);
  return [title, ...sorted.map(([name, count]) => `${((100 * count) / total).toFixed(1).padStart(5)} %  ${name}`)];
}

/**
 * The names of functions by address, without those of code that was replaced: Node.js appends a line for each function that it
 * compiles or moves, and perf would take any of the lines of an address. Each line is `start size name`, both in hexadecimal.
 */
function currentNames(map: string): string {
  const current: { readonly start: number; readonly end: number; readonly line: string }[] = [];
  for (const line of map.split('\n').toReversed()) {
    const [start = NaN, size = NaN] = line.split(' ', 2).map((each) => parseInt(each, 16));
    if (!(size > 0)) continue;
    let [low, high] = [0, current.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((current[middle]?.start ?? 0) < start) low = middle + 1;
      else high = middle;
    }
    const isFree = (current[low]?.start ?? Infinity) >= start + size && (current[low - 1]?.end ?? 0) <= start;
    if (isFree) current.splice(low, 0, { start, end: start + size, line });
  }
  return current.map(({ line }) => `${line}\n`).join('');
}

const run = promisify(execFile);
const scriptBytesMax = 2 ** 30;

/** A report for each profile in a folder: shares of CPU time. */
export async function printHotspots(folder: string): Promise<string> {
  const reports: string[] = [];
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.perf'))) {
    const file = join(folder, name);
    const names = join(tmpdir(), `perf-${name.split('.').at(-2) ?? ''}.map`);
    writeFileSync(names, currentNames(readFileSync(names, 'utf8')));
    const { stdout } = await run('perf', ['script', '--input', file, '--fields', 'ip,sym,dso'], { maxBuffer: scriptBytesMax });
    const { functions, packages, inclusive, count } = samplesIn(stdout);
    reports.push(
      `\n${file}: ${count} samples`,
      ...lines('packages', packages, count),
      ...lines('functions, own time', functions, count),
      ...lines('our functions, with what they call', inclusive, count),
    );
  }
  return reports.join('\n');
}
