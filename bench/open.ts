/** Opens a contender: its processes, one after the other, each told where those before it listen. */
import { join } from 'node:path';
import { startChild, type Child } from './calls.ts';
import type { BenchDatabase } from './database.ts';
import type { PartName, PartSettings } from './part.ts';
import { contenders, type Contender } from './rows.ts';

export interface OpenContender {
  readonly url: string;
  /** User and system time of all its processes so far. */
  cpuMicroseconds(): Promise<number>;
  /** Profiles the main thread of each process while the work goes on, and writes `<part>.cpuprofile` into a folder. */
  profile<Result>(folder: string, work: () => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

const partFile = new URL('part.ts', import.meta.url).pathname;

export async function openContender(name: Contender, database: BenchDatabase): Promise<OpenContender> {
  const { ownerUrl, secret } = database;
  const children = new Map<PartName, Child>();
  const addresses: Record<string, string> = {};
  const close = async (): Promise<void> => void (await Promise.all([...children.values()].map((child) => child.stop())));
  let url = '';
  try {
    for (const part of contenders[name]) {
      const child = startChild(partFile);
      children.set(part, child);
      const settings: PartSettings = { ownerUrl, secret, addresses };
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
    async cpuMicroseconds() {
      const spent = await Promise.all([...children.values()].map((child) => child.call<number>('cpu')));
      return spent.reduce((sum, each) => sum + each, 0);
    },
    async profile(folder, work) {
      await Promise.all([...children.values()].map((child) => child.call('startProfile')));
      const result = await work();
      await Promise.all([...children].map(([part, child]) => child.call('stopProfile', join(folder, `${part}.cpuprofile`))));
      return result;
    },
  };
}
