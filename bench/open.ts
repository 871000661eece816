/** Opens a contender: its processes, one after the other, each told where those before it listen. */
import { join } from 'node:path';
import { startChild, type Child } from './calls.ts';
import type { Given, PartName, PartSettings, Spent } from './part.ts';

export interface OpenContender {
  readonly url: string;
  /** User and system time of all its processes so far. */
  cpuMicroseconds(): Promise<number>;
  /** What each of its processes has spent so far, the one that requests go to last. */
  spent(): Promise<Spent[]>;
  /** Profiles the main thread of each process while the work goes on, and writes `<part>.cpuprofile` into a folder. */
  profile<Result>(folder: string, work: () => Promise<Result>): Promise<Result>;
  /** Ends its processes at once, as a crash does. */
  kill(): void;
  close(): Promise<void>;
}

const partFile = new URL('part.ts', import.meta.url).pathname;

/** Opens the parts in their order; requests go to the last. */
export async function openContender(parts: readonly PartName[], given: Given): Promise<OpenContender> {
  const children = new Map<PartName, Child>();
  const addresses: Record<string, string> = {};
  const close = async (): Promise<void> => void (await Promise.all([...children.values()].map((child) => child.stop())));
  const spent = (): Promise<Spent[]> => Promise.all([...children.values()].map((child) => child.call<Spent>('spent')));
  let url = '';
  try {
    for (const part of parts) {
      const child = startChild(partFile);
      children.set(part, child);
      const settings: PartSettings = { ...given, addresses };
      url = await child.call<string>('open', { name: part, settings });
      addresses[part] = url;
    }
  } catch (fault) {
    await close();
    throw fault;
  }
  return {
    url,
    close,
    kill: () => children.forEach((child) => child.kill()),
    spent,
    cpuMicroseconds: async () => (await spent()).reduce((sum, { cpuMicroseconds }) => sum + cpuMicroseconds, 0),
    async profile(folder, work) {
      await Promise.all([...children.values()].map((child) => child.call('startProfile')));
      const result = await work();
      await Promise.all([...children].map(([part, child]) => child.call('stopProfile', join(folder, `${part}.cpuprofile`))));
      return result;
    },
  };
}
