/** Notices changes of areas, so that responses can be kept until one of their areas changes. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { queryAsPlatform, type SubgraphClient } from '../../schema/subgraph-client.ts';
import { areas, type Area } from '../../schema/areas.ts';
import { changeStateField } from '../../schema/change-state-types.ts';

/** The generation of each area: it grows with every noticed change. An area is absent while its state is unknown. */
export type Generations = Readonly<Record<string, number>>;

export interface AreaStates {
  /** The generations now. The state of each area was read within the last second. */
  current(): Generations;
  /** The number of writes of this process: a read that starts after a write must not share an execution that started before. */
  writes(): number;
  /** Reads the states of all areas now. */
  read(): Promise<void>;
  /** The same area, whose mutations are noticed before they are acknowledged. */
  noticeWrites(area: Area, client: SubgraphClient): SubgraphClient;
  close(): void;
}

interface AreaState {
  state: string | null;
  generation: number;
  /** When the last successful reading of the state started, on the clock of `performance.now()`. */
  readAtMs: number;
}

/** States are read for all requests: not in the context of the one that needs them first. */
const outsideOfRequests = AsyncLocalStorage.snapshot();

const intervalMs = 200;
/** How long a state counts: the bound of how old a kept response can be. */
const validMs = 1_000;
/** States are not read while nobody needs them. */
const idleMs = 10_000;

/** @param clients the areas; their states are read every 200 ms while `current` is called at least every ten seconds */
export function createAreaStates(clients: Readonly<Partial<Record<Area, SubgraphClient>>>): AreaStates {
  const states = new Map<Area, AreaState>(areas.map((area) => [area, { state: null, generation: 0, readAtMs: -Infinity }]));
  let writes = 0;
  let neededAtMs = -Infinity;
  let isReading = false;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  async function readOne(area: Area, known: AreaState): Promise<void> {
    const client = clients[area];
    if (client === undefined) return;
    const startedMs = performance.now();
    const field = changeStateField(area);
    const data = await queryAsPlatform(client, 'area-states', `{${field}}`, {}, startedMs + validMs);
    const state = data[field];
    if (typeof state !== 'string') return;
    if (state !== known.state) known.generation += 1;
    known.state = state;
    known.readAtMs = startedMs;
  }

  /** An area that is unavailable has no state until it responds again. */
  const readAll = async (): Promise<void> =>
    void (await Promise.allSettled([...states].map(([area, known]) => readOne(area, known))));

  async function readAgain(): Promise<void> {
    await readAll();
    isReading = false;
    if (isClosed || performance.now() - neededAtMs > idleMs) return;
    timer = setTimeout(start, intervalMs).unref();
  }

  function start(): void {
    isReading = true;
    timer = undefined;
    void readAgain();
  }

  return {
    current() {
      const now = performance.now();
      neededAtMs = now;
      if (!isReading && timer === undefined && !isClosed) outsideOfRequests(start);
      const generations: Record<string, number> = {};
      for (const [area, { generation, readAtMs }] of states) if (now - readAtMs <= validMs) generations[area] = generation;
      return generations;
    },
    writes: () => writes,
    read: readAll,
    noticeWrites: (area, client) => ({
      ...client,
      async query(request) {
        if (!request.query.startsWith('mutation')) return await client.query(request);
        try {
          return await client.query(request);
        } finally {
          // also after an error: the area may have committed
          writes += 1;
          const known = states.get(area);
          if (known !== undefined) known.generation += 1;
        }
      },
    }),
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
