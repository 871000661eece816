/** `npm run bench -- --quotas`: what keys and quotas cost, and whether they are exact, over each store of counters. */
import { openAccounts, type BenchDatabase } from '../database.ts';
import { openContender, type OpenContender } from '../open.ts';
import { measureCost, type AdmissionCost } from './cost.ts';
import { measureExactness, type ExactRun } from './exactness.ts';
import { measureRevocations } from './revocations.ts';

/** What can be asked for by name. */
export const quotaRows = ['cost', 'exactness', 'revocation'] as const;

const routerProcesses = 4;
const exactRuns = 50;
const revocationTimes = 100;

export interface StoreFigures {
  readonly store: string;
  readonly cost: AdmissionCost | null;
  readonly exact: readonly ExactRun[] | null;
  readonly revocationsMs: readonly number[] | null;
}

export interface QuotaOptions {
  readonly only: readonly string[];
  readonly rounds: number;
  readonly seconds: number;
  readonly tell: (line: string) => void;
}

/** Measures one store after the other over the database of a bench. */
export async function measureQuotas(
  database: Omit<BenchDatabase, 'close'>,
  { only, rounds, seconds, tell }: QuotaOptions,
): Promise<StoreFigures[]> {
  const wanted = (row: (typeof quotaRows)[number]): boolean => only.length === 0 || only.includes(row);
  const { ownerUrl, secret } = database;
  const administration = await openAccounts(database);
  const figures: StoreFigures[] = [];
  try {
    for (const { store, environment } of [{ store: 'PostgreSQL', environment: {} }]) {
      tell(`Counters in ${store} …`);
      const cost = wanted('cost') ? await measureCost(database, { rounds, seconds, environment, tell }) : null;
      const routers: OpenContender[] = [];
      try {
        const processes = wanted('exactness') ? routerProcesses : wanted('revocation') ? 1 : 0;
        for (let index = 0; index < processes; index += 1)
          routers.push(await openContender(['router'], { ownerUrl, secret, shop: null, environment }));
        const urls = routers.map(({ url }) => url);
        const seed = store.toLowerCase().replaceAll(/\W/g, '-');
        const exact = wanted('exactness') ? await measureExactness(urls, administration, { seed, runs: exactRuns, tell }) : null;
        const times = { name: `revoked-${seed}`, times: revocationTimes };
        const revocationsMs = wanted('revocation') ? await measureRevocations(urls[0] ?? '', administration, times) : null;
        figures.push({ store, cost, exact, revocationsMs });
      } finally {
        await Promise.all(routers.map((router) => router.close()));
      }
    }
  } finally {
    await administration.close();
  }
  return figures;
}
