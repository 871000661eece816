/** One process of a contender: opens its part, reports its address and usage, and closes it. */
import type { Area } from '../schema/areas.ts';
import { answerCalls } from './calls.ts';
import type { ShopAreaName } from './gateways/shop.ts';
import type { OpenGateway, Shop } from './gateways/supergraph.ts';

/** The input of every part of a contender: a database, or the gateways' shop. */
export interface Given {
  readonly ownerUrl: string;
  readonly secret: string;
  readonly shop: Shop | null;
  /** Starts the processes so that `perf` can name their functions. */
  readonly isProfiled?: boolean;
  /** Address of a receiver of traces; without it, traced contenders send none. */
  readonly traceReceiver?: string;
  /** Additional environment variables of the platform's processes. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** The input of a part. `addresses` are those of the parts that were opened before it, by name. */
export interface PartSettings extends Given {
  readonly addresses: Readonly<Record<string, string>>;
}

export interface OpenPart {
  readonly url: string;
  /** Queries responded as an area, or sent to areas in its own process; absent where a part does neither. */
  fetches?(): number;
  close(): Promise<void>;
}

/** Since the start of the process. */
export interface Spent {
  /** User and system CPU time of all threads. */
  readonly cpuMicroseconds: number;
  /** Peak memory. */
  readonly peakKibibytes: number;
  /** Resident memory now. */
  readonly rssKibibytes: number;
  readonly fetches: number;
}

// imported lazily: a process loads no code of other contenders
const role = async (name: string, settings: PartSettings) => (await import('./parts/platform.ts')).openRole(name, settings);
const gateway =
  (load: () => Promise<OpenGateway>, inProcess: boolean) =>
  async ({ shop, addresses }: PartSettings): Promise<OpenPart> => {
    if (shop === null) throw new Error('A gateway needs the shop.');
    return (await load())(shop, inProcess ? null : addresses);
  };
const ours = async () => (await import('./gateways/ours.ts')).openOurs;
const oursFramed = async () => (await import('./gateways/ours.ts')).openOursFramed;
const stock = async () => (await import('./gateways/stock.ts')).openStock;
const peer = async () => (await import('./gateways/peer.ts')).openPeer;
const shopArea = async (name: ShopAreaName) => (await import('./gateways/areas.ts')).serveArea(name);
const stockArea = async (area: Area, settings: PartSettings) => (await import('./parts/area.ts')).openPlainArea(area, settings);

/** With metrics, and with traces of a share of the requests. */
const observed = (settings: PartSettings, share?: string): PartSettings => ({
  ...settings,
  environment: {
    ...settings.environment,
    METRICS_PORT: '0',
    ...(share !== undefined && {
      OTEL_EXPORTER_OTLP_ENDPOINT: settings.traceReceiver ?? '',
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: share,
    }),
  },
});

const parts = {
  bare: async (settings) => (await import('./parts/bare.ts')).openBare(settings),
  equal: async (settings) => (await import('./parts/equal.ts')).openEqual(settings),
  platform: (settings) => role('all', settings),
  'caching platform': (settings) =>
    role('all', { ...settings, environment: { ...settings.environment, RESPONSE_CACHE_MIB: '64' } }),
  'metered platform': (settings) => role('all', observed(settings)),
  'sampled platform': (settings) => role('all', observed(settings, '0.1')),
  'traced platform': (settings) => role('all', observed(settings, '1')),
  static: async (settings) => (await import('./parts/static.ts')).openStatic(settings),
  router: (settings) => role('router', settings),
  athletes: (settings) => role('athletes', settings),
  organizations: (settings) => role('organizations', settings),
  'stock gateway': async (settings) => (await import('./parts/stock.ts')).openStock(settings),
  'stock athletes': (settings) => stockArea('athletes', settings),
  'stock organizations': (settings) => stockArea('organizations', settings),
  'shop accounts': () => shopArea('accounts'),
  'shop inventory': () => shopArea('inventory'),
  'shop products': () => shopArea('products'),
  'shop reviews': () => shopArea('reviews'),
  ours: gateway(ours, true),
  'ours framed': gateway(oursFramed, false),
  'ours over HTTP': gateway(ours, false),
  stock: gateway(stock, true),
  'stock over HTTP': gateway(stock, false),
  peer: gateway(peer, true),
  'peer over HTTP': gateway(peer, false),
} satisfies Record<string, (settings: PartSettings) => Promise<OpenPart>>;

export type PartName = keyof typeof parts;

let opened: OpenPart | null = null;

answerCalls({
  async open({ name, settings }: { readonly name: PartName; readonly settings: PartSettings }): Promise<string> {
    opened = await parts[name](settings);
    return opened.url;
  },
  spent(): Spent {
    const { user, system } = process.cpuUsage();
    const { maxRSS: peakKibibytes } = process.resourceUsage();
    const rssKibibytes = process.memoryUsage.rss() / 1024;
    return { cpuMicroseconds: user + system, peakKibibytes, rssKibibytes, fetches: opened?.fetches?.() ?? 0 };
  },
  async stop(): Promise<void> {
    await opened?.close();
    process.exit();
  },
});
