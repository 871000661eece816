/** `npm run bench -- --quotas`: the cost of keys and quotas, their exactness, and their behavior while a store is down. */
import type { Administration } from '../../commands/administration.ts';
import { openDatabase } from '../../platform/database/database.ts';
import { openAccounts, type BenchDatabase } from '../database.ts';
import { openContender, type OpenContender } from '../open.ts';
import type { PartName } from '../part.ts';
import { measureCost, type AdmissionCost } from './cost.ts';
import { measureExactness, type ExactRun } from './exactness.ts';
import { databaseOf, measureOutage, type Outage } from './outages.ts';
import { measureRevocations } from './revocations.ts';
import { measureRollups, type Rollups } from './rollups.ts';
import { openStores, type OpenStore } from './stores.ts';

/** Measurements that can be selected by name. */
export const quotaRows = ['cost', 'exactness', 'revocation', 'outages', 'rollups'] as const;
type QuotaRow = (typeof quotaRows)[number];

const routerProcesses = 4;
const exactRuns = 50;
const revocationTimes = 100;
const outageLimit = 100_000;
const rollupRequests = 100_000;

export interface StoreFigures {
  readonly store: string;
  readonly cost: AdmissionCost | null;
  readonly exact: readonly ExactRun[] | null;
  readonly revocationsMs: readonly number[] | null;
  readonly outages: readonly Outage[];
  readonly rollups: Rollups | null;
}

export interface QuotaOptions {
  readonly only: readonly string[];
  readonly rounds: number;
  readonly seconds: number;
  readonly report: (line: string) => void;
}

interface Bench extends QuotaOptions {
  readonly database: Omit<BenchDatabase, 'close'>;
  readonly administration: Administration;
}

/** Opens a number of processes of one role for the work, and closes them. */
async function withProcesses<Result>(
  { database: { ownerUrl, secret } }: Bench,
  role: PartName,
  count: number,
  { environment }: OpenStore,
  work: (processes: readonly OpenContender[]) => Promise<Result>,
): Promise<Result> {
  const opened: OpenContender[] = [];
  try {
    for (let index = 0; index < count; index += 1)
      opened.push(await openContender([role], { ownerUrl, secret, shop: null, environment }));
    return await work(opened);
  } finally {
    await Promise.all(opened.map((one) => one.close()));
  }
}

async function measureStore(bench: Bench, store: OpenStore): Promise<StoreFigures> {
  const { database, administration, only, rounds, seconds, report } = bench;
  const wanted = (row: QuotaRow): boolean => only.length === 0 || only.includes(row);
  const { name, environment, dependency } = store;
  const seed = name.toLowerCase().replaceAll(/\W/g, '-');
  const cost = wanted('cost')
    ? await measureCost(database, administration, { name: seed, rounds, seconds, environment, report })
    : null;
  const exact = wanted('exactness')
    ? await withProcesses(bench, 'router', routerProcesses, store, (routers) => {
        const urls = routers.map(({ url }) => url);
        return measureExactness(urls, administration, { seed, runs: exactRuns, report });
      })
    : null;
  const revocationsMs = wanted('revocation')
    ? await withProcesses(bench, 'router', 1, store, ([router]) =>
        measureRevocations(router?.url ?? '', administration, { name: `revoked-${seed}`, times: revocationTimes }),
      )
    : null;
  const outages: Outage[] = [];
  if (wanted('outages') && dependency !== null)
    for (const dependencyDown of [dependency, databaseOf(database.ownerUrl)])
      await withProcesses(bench, 'router', 2, store, async (routers) => {
        const code = `down-${dependencyDown.name.toLowerCase()}`;
        const what = `${dependencyDown.name} down for ten seconds, counters in ${name}`;
        const urls = routers.map(({ url }) => url);
        outages.push(await measureOutage(urls, administration, dependencyDown, { name: code, what, limit: outageLimit }));
        report(`${what}: done`);
      });
  const owner = openDatabase({ url: database.ownerUrl, name: 'bench-owner', poolSize: 1 });
  try {
    const rollups = wanted('rollups')
      ? await withProcesses(bench, 'platform', 2, store, async ([living, dying]) => {
          if (living === undefined || dying === undefined) throw new Error('Two processes are required.');
          return measureRollups([living, dying], administration, owner, { name: seed, requests: rollupRequests, report });
        })
      : null;
    return { store: name, cost, exact, revocationsMs, outages, rollups };
  } finally {
    await owner.close();
  }
}

/** Measures each store over the database of a benchmark. */
export async function measureQuotas(database: Omit<BenchDatabase, 'close'>, options: QuotaOptions): Promise<StoreFigures[]> {
  const administration = await openAccounts(database);
  const figures: StoreFigures[] = [];
  try {
    for (const openStore of openStores) {
      const store = await openStore();
      try {
        options.report(`Counters in ${store.name} …`);
        figures.push(await measureStore({ ...options, database, administration }, store));
      } finally {
        await store.close();
      }
    }
  } finally {
    await administration.close();
  }
  return figures;
}
