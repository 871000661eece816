/** Opens a contender: its processes, one after the other, each told where those before it listen. */
import { startChild, type Child } from './calls.ts';
import type { BenchDatabase } from './database.ts';
import type { PartName, PartSettings } from './part.ts';
import { contenders, type Contender } from './rows.ts';

export interface OpenContender {
  readonly url: string;
  /** User and system time of all its processes so far. */
  cpuMicroseconds(): Promise<number>;
  close(): Promise<void>;
}

const partFile = new URL('part.ts', import.meta.url).pathname;

/** @param profileFolder where each process leaves its CPU profile when it ends; null for none */
export async function openContender(
  name: Contender,
  database: BenchDatabase,
  profileFolder: string | null,
): Promise<OpenContender> {
  const execArgv = profileFolder === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`];
  const { ownerUrl, secret } = database;
  const children: Child[] = [];
  const addresses: Record<string, string> = {};
  const close = async (): Promise<void> => void (await Promise.all(children.map((child) => child.stop())));
  let url = '';
  try {
    for (const part of contenders[name]) {
      const child = startChild(partFile, execArgv);
      children.push(child);
      const settings: PartSettings = { ownerUrl, secret, addresses };
      url = await child.call<string>('open', { name: part satisfies PartName, settings });
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
      const spent = await Promise.all(children.map((child) => child.call<number>('cpu')));
      return spent.reduce((sum, each) => sum + each, 0);
    },
  };
}
