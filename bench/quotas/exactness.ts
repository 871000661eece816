/** Checks that several routers together grant exactly what a plan allows: the GraphQL API of four processes with 200 clients each. */
import { Pool } from 'undici';
import type { Administration } from '../../commands/administration.ts';
import { openRandom } from '../../platform/random.ts';

const clientsOfEach = 200;
const mostAllowed = 10_000;

export interface ExactRun {
  readonly window: 'day' | 'month';
  readonly limit: number;
  readonly requests: number;
  readonly granted: number;
}

const plenty = 1_000_000;

/** Creates a key of a separate plan. `name` is the plan's code. */
export async function keyWith(
  { execute }: Administration,
  name: string,
  limits: { readonly perDay: number; readonly perMonth: number },
): Promise<{ readonly id: string; readonly key: string }> {
  const plan = {
    code: name,
    name,
    price: { amountMinor: 0, currency: 'EUR' },
    limits: { burstPerMinute: plenty, ...limits },
    writes: false,
  };
  await execute('mutation ($input: CreatePlanInput!) { createPlan(input: $input) { code } }', { input: plan });
  const { issueApiKey } = await execute<{ issueApiKey: { key: string; apiKey: { id: string } } }>(
    'mutation ($input: IssueApiKeyInput!) { issueApiKey(input: $input) { key apiKey { id } } }',
    { input: { accountName: 'Bench', name, plan: name } },
  );
  return { id: issueApiKey.apiKey.id, key: issueApiKey.key };
}

/** The request of each client; it needs no area. */
export const smallest = (key: string) =>
  ({
    method: 'POST',
    path: '/graphql',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: '{"query":"{ __typename }"}',
  }) as const;

/** Sends this many requests from every client of every pool without pauses. Returns the count of each status. */
async function flood(pools: readonly Pool[], key: string, requests: number): Promise<Map<number, number>> {
  const statuses = new Map<number, number>();
  let left = requests;
  const client = async (pool: Pool): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const { statusCode, body } = await pool.request(smallest(key));
      const text = await body.text();
      // a busy machine: the request was not charged, so it is sent again
      if (statusCode === 503 && text.includes('"overloaded"')) left += 1;
      else if (statusCode !== 200 && statusCode !== 429) throw new Error(`A request was returned ${statusCode}: ${text}`);
      else statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1);
    }
  };
  await Promise.all(pools.flatMap((pool) => Array.from({ length: clientsOfEach }, () => client(pool))));
  return statuses;
}

/**
 * Uses limits from 1 to 10,000, each order of magnitude equally often, and at least a fifth more requests than allowed.
 * Throws Error on any status but 200 and 429, and 503 of a busy process.
 */
export async function measureExactness(
  urls: readonly string[],
  administration: Administration,
  { seed, runs, report }: { readonly seed: string; readonly runs: number; readonly report: (line: string) => void },
): Promise<ExactRun[]> {
  const random = openRandom(seed);
  const pools = urls.map((url) => new Pool(url, { connections: clientsOfEach, pipelining: 1 }));
  const done: ExactRun[] = [];
  try {
    for (let run = 1; run <= runs; run += 1) {
      const limit = Math.round(mostAllowed ** random.fraction());
      const window = random.pick(['day', 'month'] as const);
      const limits =
        window === 'day' ? { perDay: limit, perMonth: plenty * plenty } : { perDay: plenty * plenty, perMonth: limit };
      const { key } = await keyWith(administration, `exact-${seed}-${run}`, limits);
      const requests = Math.max(limit + urls.length * clientsOfEach, Math.ceil(limit * 1.2));
      const statuses = await flood(pools, key, requests);
      const granted = statuses.get(200) ?? 0;
      done.push({ window, limit, requests, granted });
      if (granted !== limit || run % 10 === 0) report(`run ${run} of ${runs}: ${granted} of ${limit} granted`);
    }
  } finally {
    await Promise.all(pools.map((pool) => pool.close()));
  }
  return done;
}
