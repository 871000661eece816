/** One process of a contender: opens its part, tells its address and its CPU time, and closes it. */
import { writeFile } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';
import type { Area } from '../schema/areas.ts';
import { answerCalls } from './calls.ts';

/** What a part is given; `addresses` are those of the parts that were opened before it, by name. */
export interface PartSettings {
  readonly ownerUrl: string;
  readonly secret: string;
  readonly addresses: Readonly<Record<string, string>>;
}

export interface OpenPart {
  readonly url: string;
  close(): Promise<void>;
}

// imported where they run: a process holds nothing of the other contenders
const role = async (name: string, settings: PartSettings) => (await import('./parts/platform.ts')).openRole(name, settings);
const stockArea = async (area: Area, settings: PartSettings) => (await import('./parts/area.ts')).openPlainArea(area, settings);

const parts = {
  bare: async (settings) => (await import('./parts/bare.ts')).openBare(settings),
  equal: async (settings) => (await import('./parts/equal.ts')).openEqual(settings),
  platform: (settings) => role('all', settings),
  router: (settings) => role('router', settings),
  athletes: (settings) => role('athletes', settings),
  organizations: (settings) => role('organizations', settings),
  'stock gateway': async (settings) => (await import('./parts/stock.ts')).openStock(settings),
  'stock athletes': (settings) => stockArea('athletes', settings),
  'stock organizations': (settings) => stockArea('organizations', settings),
} satisfies Record<string, (settings: PartSettings) => Promise<OpenPart>>;

export type PartName = keyof typeof parts;

let opened: OpenPart | null = null;
const inspector = new Session();

answerCalls({
  async open({ name, settings }: { readonly name: PartName; readonly settings: PartSettings }): Promise<string> {
    opened = await parts[name](settings);
    return opened.url;
  },
  /** User and system time of all threads so far, in microseconds. */
  cpu(): number {
    const { user, system } = process.cpuUsage();
    return user + system;
  },
  async startProfile(): Promise<void> {
    inspector.connect();
    await inspector.post('Profiler.enable');
    await inspector.post('Profiler.start');
  },
  async stopProfile(file: string): Promise<void> {
    const { profile } = await inspector.post('Profiler.stop');
    inspector.disconnect();
    await writeFile(file, JSON.stringify(profile));
  },
  async stop(): Promise<void> {
    await opened?.close();
    process.exit();
  },
});
