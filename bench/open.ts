/** Opens a contender: starts its processes in order and passes each the addresses of the previous ones. */
import { startChild, type Child } from './calls.ts';
import { profiledNodeOptions, recordProfile } from './profile.ts';
import type { Given, PartName, PartSettings, Spent } from './part.ts';

export interface OpenContender {
  readonly url: string;
  /** User and system CPU time of all its processes so far. */
  cpuMicroseconds(): Promise<number>;
  /** Usage of each process so far; requests go to the last one. */
  spent(): Promise<Spent[]>;
  /** Profiles each process during the work, and writes `<part>.<pid>.perf` into a folder. The contender was opened with `isProfiled`. */
  profile<Result>(folder: string, work: () => Promise<Result>): Promise<Result>;
  /** Kills its processes, as in a crash. */
  kill(): void;
  /** Stops or continues the process of a part. */
  signal(part: PartName, name: 'SIGSTOP' | 'SIGCONT'): void;
  close(): Promise<void>;
}

/** The platform plans all its operations before it is open: this takes long on a busy machine. */
const openTimeoutMs = 240_000;

const partFile = new URL('part.ts', import.meta.url).pathname;

/** Opens contenders by name; `resources` closes them. Returns the contender of a row. */
export async function openContenders<Name extends string>(
  parts: Readonly<Record<Name, readonly PartName[]>>,
  names: Iterable<Name>,
  given: Given,
  resources: AsyncDisposableStack,
): Promise<(row: { readonly contender: Name }) => OpenContender> {
  const open = new Map<Name, OpenContender>();
  for (const name of new Set(names)) {
    const contender = await openContender(parts[name], given);
    resources.defer(contender.close);
    open.set(name, contender);
  }
  return ({ contender }) => {
    const found = open.get(contender);
    if (found === undefined) throw new Error(`${contender} is not open`);
    return found;
  };
}

/** Opens the parts in order; requests go to the last one. */
export async function openContender(parts: readonly PartName[], given: Given): Promise<OpenContender> {
  const children = new Map<PartName, Child>();
  const addresses: Record<string, string> = {};
  const close = async (): Promise<void> => void (await Promise.all([...children.values()].map((child) => child.stop())));
  const spent = (): Promise<Spent[]> => Promise.all([...children.values()].map((child) => child.call<Spent>('spent')));
  let url = '';
  try {
    for (const part of parts) {
      const child = startChild(partFile, given.isProfiled === true ? profiledNodeOptions : []);
      children.set(part, child);
      const settings: PartSettings = { ...given, addresses };
      url = await child.call<string>('open', { name: part, settings }, openTimeoutMs);
      addresses[part] = url;
    }
  } catch (error) {
    await close();
    throw error;
  }
  return {
    url,
    close,
    signal: (part, name) => children.get(part)?.signal(name),
    kill: () => children.forEach((child) => child.kill()),
    spent,
    cpuMicroseconds: async () => (await spent()).reduce((sum, { cpuMicroseconds }) => sum + cpuMicroseconds, 0),
    async profile(folder, work) {
      const stops = await Promise.all([...children].map(([part, { pid }]) => recordProfile(pid, folder, part)));
      const result = await work();
      await Promise.all(stops.map((stop) => stop()));
      return result;
    },
  };
}
